"""Asking a reranker that an operator runs which passages answer a query best."""
