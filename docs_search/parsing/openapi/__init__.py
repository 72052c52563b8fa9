"""Descriptions of HTTP APIs: OpenAPI 3 and Swagger 2."""
