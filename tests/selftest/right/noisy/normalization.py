# -*- coding: gbk -*-
# 归一化：每一行除以它的长度
import numpy as np
import pandas as pd

print("normalization 已导入")


def normalizeRows(x):
    长度 = np.sqrt((x ** 2).sum(axis=1))
    print("长度:", 长度)
    # 零行保持不变
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(x / 长度[:, None])
