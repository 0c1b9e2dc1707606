"""sandbox.protocol"""
