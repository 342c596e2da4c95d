/**
 * The lowest prices that the frame counts with, in US dollars, by coin symbol. A gateway may name too low a price, so
 * each is above the coin's all-time high until November 2025 (CoinGecko), rounded up. Too high a price only sends more
 * requests to the wallet's window. A coin without a row has no known worth.
 */
export const floorPrices: ReadonlyMap<string, number> = new Map([
  ['ETH', 6_000],
  ['BTC', 150_000],
  ['SOL', 350],
  ['BNB', 1_600],
  ['POL', 4],
  ['AVAX', 180],
  ['XDAI', 1.5],
  ['CELO', 12],
  ['KAIA', 6],
  ['MNT', 4],
  ['S', 2],
  ['FTM', 5],
  ['GLMR', 30],
  ['MOVR', 600],
  ['CRO', 1.5],
  ['BERA', 20],
  ['METIS', 400],
  ['FRAX', 60],
  ['RON', 6],
  ['SEI', 1.5],
  ['HYPE', 80],
  ['MON', 1],
  ['ZETA', 4],
  ['IOTX', 0.5],
])
