import { devnetAccounts } from '@postern/devnet'
import { type Account, createPublicClient, createWalletClient, type Hex, http, type TransactionReceipt } from 'viem'

export {
  deployHostileTokens,
  devnetAccounts,
  devnetBitcoinId,
  devnetCollectible,
  devnetContracts,
  devnetItems,
  devnetSolanaId,
  devnetToken,
  freePorts,
  gatewayEnvironment,
  hostileName,
  registerName,
  solanaCollectible,
  solanaLevyMint,
  solanaMint,
} from '@postern/devnet'

export type DevnetAccount = (typeof devnetAccounts)[number]

export function accountAt(index: number): DevnetAccount {
  const account = devnetAccounts[index]
  if (account === undefined) throw new Error('The devnet has too few accounts.')
  return account
}

export function nodeAt(port: number) {
  const transport = http(`http://127.0.0.1:${port}`)
  const client = createPublicClient({ transport, pollingInterval: 50 })
  return {
    transport,
    client,
    async send(account: Account, call: Transaction): Promise<TransactionReceipt> {
      const hash = await createWalletClient({ account, transport }).sendTransaction({ ...call, chain: null })
      return client.waitForTransactionReceipt({ hash })
    },
  }
}
type Transaction = { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint; readonly gas?: bigint }
