"""sandbox.host"""
