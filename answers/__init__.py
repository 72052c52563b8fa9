"""Answers that cite the documentation: who writes them, how they are checked, cached and paid for."""
