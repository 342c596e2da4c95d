import { connectNode, prepareTransaction } from '@postern/evm-wallet/node'
import { PersonalSign, readParams, readTypedData, SendTransaction, SignTypedData } from '@postern/evm-wallet/requests'
import { invalidParams, unauthorized, unknownChain, unsupported } from '@postern/evm-wallet/rpc-error'
import { bytesToString, type Hex, hexToBytes, isAddressEqual, isHex } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { devnetSeed } from '../seed'
import type { MobileNamespace, Task, TaskContext } from './contract'

export const eip155Methods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
] as const

let root: HDKey | undefined
const derived = new Map<number, ReturnType<typeof hdKeyToAccount>>()

/** m/44'/60'/0'/0/index. */
export function eip155Account(index: number) {
  const known = derived.get(index)
  if (known !== undefined) return known
  root ??= HDKey.fromMasterSeed(devnetSeed())
  const account = hdKeyToAccount(root, { addressIndex: index })
  derived.set(index, account)
  return account
}

/** The wallet itself switches and adds networks. */
async function eip155Task(method: string, params: unknown, context: TaskContext): Promise<Task> {
  const account = eip155Account(context.account)
  const own = (address: Hex) => {
    if (!isAddressEqual(address, account.address)) throw unauthorized('The dapp may not use this account.')
  }
  const row = { label: 'Account', value: account.address }
  const chainId = Number(context.chainId.slice('eip155:'.length))
  switch (method) {
    case 'personal_sign': {
      const [message, address] = readParams(PersonalSign, method, params)
      own(address)
      // Wallets treat hex as bytes, anything else as text.
      const bytes = isHex(message, { strict: true }) && message.length % 2 === 0 ? hexToBytes(message) : undefined
      return {
        title: 'Sign a message',
        rows: [row],
        raw: bytes === undefined ? message : bytesToString(bytes),
        run: () => account.signMessage({ message: bytes === undefined ? message : { raw: bytes } }),
      }
    }
    case 'eth_signTypedData_v4': {
      const [address, typedDataParam] = readParams(SignTypedData, method, params)
      own(address)
      const typedData = readTypedData(typedDataParam)
      const wanted = typedData.domain.chainId
      if (wanted !== undefined && wanted !== chainId)
        throw invalidParams(`The typed data is for chain ${wanted}, but the request is for chain ${chainId}.`)
      const types: Record<string, unknown> = typedData.types
      return {
        title: 'Sign typed data',
        rows: [row, { label: 'Type', value: typedData.primaryType }],
        raw: JSON.stringify({ domain: typedData.domain, message: typedData.message }, null, 2),
        run: () => account.signTypedData({ ...typedData, types }),
      }
    }
    case 'eth_sendTransaction': {
      const [transaction] = readParams(SendTransaction, method, params)
      own(transaction.from)
      if (context.url === undefined) throw unknownChain(chainId)
      if (transaction.chainId !== undefined && Number(transaction.chainId) !== chainId)
        throw invalidParams(
          `The transaction is for chain ${transaction.chainId}, but the request is for chain ${chainId}.`,
        )
      const node = connectNode({ chainId, name: `Chain ${chainId}`, rpcUrl: context.url })
      const prepared = await prepareTransaction(node, account, chainId, transaction)
      return { title: 'Send a transaction', rows: prepared.rows, raw: prepared.data, run: prepared.send }
    }
    default:
      throw unsupported(method)
  }
}

export const eip155: MobileNamespace = {
  name: 'Ethereum and other EVM chains',
  methods: eip155Methods,
  events: ['accountsChanged', 'chainChanged'],
  address: (account) => eip155Account(account).address,
  task: eip155Task,
  chainChanged: (id) => Number(id.slice('eip155:'.length)),
}
