"""Reading what agents wrote: one adapter a module."""
