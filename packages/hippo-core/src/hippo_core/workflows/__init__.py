"""The program as straight lines."""
