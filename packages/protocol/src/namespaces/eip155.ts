import type { NamespaceFacts } from './contract'

export const eip155 = {
  name: 'Ethereum',
  /** A safe integer. */
  reference: /^(0|[1-9][0-9]{0,15})$/,
  networkId: Number,
  address: /^0x[0-9a-fA-F]{40}$/,
  recipient: /^(0x)?[0-9a-fA-F]{40}$/,
  caseChecksum: 'EIP-55',
  decimals: 18,
  /** Convention of swap services. */
  nativeAddress: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  balance: { method: 'eth_getBalance', params: (address) => [address, 'latest'] },
  api: 'rpc',
  explorer: { address: 'address', tx: 'tx' },
} as const satisfies NamespaceFacts
