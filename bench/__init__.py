"""Benchmarks: `make bench`. Every figure is a ratio of two measurements of one run, since machines differ."""
