"""sandbox.zygote"""
