"""sandbox.isolation"""
