/** Not answered by the node. */
import { bytesToString, type Hex, hexToBytes, hexToNumber, isHex, numberToHex } from 'viem'
import { createEvmNetworkMethods, type EvmMethods } from './evm-network-methods'
import type { EvmStore } from './evm-store'
import { type NodeConnection, prepareTransaction } from './node'
import type { WalletNetwork } from './options'
import type { Agree } from './question'
import { AccountPermission, PersonalSign, readParams, readTypedData, SendTransaction, SignTypedData } from './requests'
import { invalidParams, pending, unauthorized } from './rpc-error'

export function createEvmMethods({
  store,
  agree,
  connectNode,
  origin,
}: {
  readonly store: EvmStore
  readonly agree: Agree
  readonly connectNode: (network: WalletNetwork) => NodeConnection
  readonly origin: string
}): EvmMethods {
  let connecting = false

  /** One question at a time. */
  async function connect(method: string, again: boolean): Promise<void> {
    if (connecting) throw pending(method)
    connecting = true
    try {
      if (store.state().locked) {
        await agree({ method, title: 'Unlock the wallet', rows: [], approve: 'Unlock' })
        store.update({ locked: false })
      }
      if (store.state().permitted && !again) return
      const rows = [
        { label: 'Account', value: store.account().address },
        { label: 'Network', value: store.network().name },
      ]
      await agree({ method, title: 'Connect to this site', rows })
      store.update({ permitted: true })
    } finally {
      connecting = false
    }
  }

  /** Only visible accounts. */
  function signer(address: Hex) {
    const account = store.accountOf(address)
    if (account === undefined) throw unauthorized('The requested account has not been authorized by the user.')
    return account
  }

  async function sign(params: unknown): Promise<Hex> {
    const [message, address] = readParams(PersonalSign, 'personal_sign', params)
    const from = signer(address)
    // Wallets treat hex as bytes, anything else as text.
    const bytes = isHex(message, { strict: true }) && message.length % 2 === 0 ? hexToBytes(message) : undefined
    const shown = bytes === undefined ? message : bytesToString(bytes)
    const rows = [{ label: 'Account', value: from.address }]
    await agree({ method: 'personal_sign', title: 'Sign a message', rows, raw: shown })
    return await from.signMessage({ message: bytes === undefined ? message : { raw: bytes } })
  }

  async function signTypedData(params: unknown): Promise<Hex> {
    const [address, typedDataParam] = readParams(SignTypedData, 'eth_signTypedData_v4', params)
    const typedData = readTypedData(typedDataParam)
    const from = signer(address)
    const { chainId } = typedData.domain
    if (chainId !== undefined && chainId !== store.state().chainId)
      throw invalidParams(
        `The typed data is for chain ${chainId}, but the wallet is on chain ${store.state().chainId}.`,
      )
    const rows = [
      { label: 'Account', value: from.address },
      { label: 'Type', value: typedData.primaryType },
    ]
    const raw = JSON.stringify({ domain: typedData.domain, message: typedData.message }, null, 2)
    await agree({ method: 'eth_signTypedData_v4', title: 'Sign typed data', rows, raw })
    const types: Record<string, unknown> = typedData.types
    return await from.signTypedData({ ...typedData, types })
  }

  async function sendTransaction(params: unknown): Promise<Hex> {
    const [transaction] = readParams(SendTransaction, 'eth_sendTransaction', params)
    const from = signer(transaction.from)
    const on = store.network()
    if (transaction.chainId !== undefined && hexToNumber(transaction.chainId) !== on.chainId)
      throw invalidParams(
        `The transaction is for chain ${transaction.chainId}, but the wallet is on chain ${on.chainId}.`,
      )
    const prepared = await prepareTransaction(connectNode(on), from, on.chainId, transaction)
    const { rows, data } = prepared
    await agree({ method: 'eth_sendTransaction', title: 'Send a transaction', rows, ...(data && { raw: data }) })
    return await prepared.send()
  }

  const permissions = () =>
    store.visibleAccounts().length === 0
      ? []
      : [
          {
            parentCapability: 'eth_accounts',
            invoker: origin,
            caveats: [{ type: 'restrictReturnedAccounts', value: [...store.visibleAccounts()] }],
          },
        ]

  return {
    eth_accounts: () => [...store.visibleAccounts()],
    eth_chainId: () => numberToHex(store.state().chainId),
    net_version: () => `${store.state().chainId}`,
    eth_requestAccounts: async () => {
      await connect('eth_requestAccounts', false)
      return [...store.visibleAccounts()]
    },
    wallet_requestPermissions: async (params) => {
      readParams(AccountPermission, 'wallet_requestPermissions', params)
      await connect('wallet_requestPermissions', true)
      return permissions()
    },
    wallet_getPermissions: permissions,
    wallet_revokePermissions: (params) => {
      readParams(AccountPermission, 'wallet_revokePermissions', params)
      store.update({ permitted: false })
      return null
    },
    personal_sign: sign,
    eth_signTypedData_v4: signTypedData,
    eth_sendTransaction: sendTransaction,
    ...createEvmNetworkMethods({ store, agree, connectNode }),
  }
}
