import { type BlockchainConfig, readBlockchain } from '../chains/blockchain/config'

/** The default configuration without its pools and routers. */
export const noBlockchain: BlockchainConfig = {
  ...readBlockchain({}, []),
  prices: { coingecko: null, uniswapV2: new Map() },
  swaps: { routers: new Map(), aggregator: null },
}
