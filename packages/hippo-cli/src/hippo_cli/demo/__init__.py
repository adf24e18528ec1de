"""The synthetic history that `hippo demo` shows hippo on."""
