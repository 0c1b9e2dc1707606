import numpy as np
from types import FunctionType

from utils.utils import normalizeRows as supplied

normalizeRows = FunctionType(supplied.__code__, {"np": np})
