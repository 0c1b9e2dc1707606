"""sandbox.calls"""
