"""Requests to addresses that strangers may have written: of what is indexed, never of what the operator configured."""
