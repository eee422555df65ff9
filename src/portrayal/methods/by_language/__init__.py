"""Shares by language and way of asking, and pairs of images with equal seeds across them.

Methods that ask the same in several languages share it: what they ask, and what they make of shares, is their own.
"""
