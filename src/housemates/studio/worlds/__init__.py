"""Worlds and pictures, in processes beside the server."""
