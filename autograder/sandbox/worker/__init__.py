"""sandbox.worker"""
