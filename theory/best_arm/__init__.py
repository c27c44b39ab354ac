"""Best-arm identification: characteristic times and the games behind them."""
