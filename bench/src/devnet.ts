/** The devnet in its own process: `devnet.ts EVM EVM_TWO SOLANA BITCOIN ONRAMP INDEXER`, six ports. */
import { startDevnet } from '../../packages/devnet/src/start-devnet'

const [evm = 0, evmTwo = 0, solana = 0, bitcoin = 0, onramp = 0, indexer = 0] = process.argv.slice(2).map(Number)
const abort = new AbortController()
const devnet = await startDevnet({ ports: { evm, evmTwo, solana, bitcoin, onramp, indexer }, signal: abort.signal })
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void devnet.stop())
console.log('ready')
