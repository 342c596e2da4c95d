import { type Diagnosis, type Eip1193Provider, type Postern, PosternError } from '@postern/client'
import { createClient, custom, type Hex, isAddress, isHex, parseEther, toHex } from 'viem'
import { verifyMessage, verifyTypedData, waitForTransactionReceipt } from 'viem/actions'
import { type AccountView, shortAmount } from './account'
import { addableChain } from './config'
import type { Action, Line, Outcome } from './outcome'

/** In ms; the devnet's chains mine at once. */
const receiptInterval = 500
/** In ms (spec §9). */
const receiptTimeout = 180_000

export type Wallet = { readonly provider: Eip1193Provider; readonly account: AccountView }

function addressOf({ account }: Wallet): Hex {
  if (account.status !== 'connected' || account.address === null) throw new Error('Connect a wallet first.')
  return account.address
}

function hex(value: unknown): Hex {
  if (!isHex(value)) throw new Error('The wallet did not return a hexadecimal value.')
  return value
}

/** Verification asks the chain: the account may be a contract, deployed (ERC-1271) or not (ERC-6492). */
const chainOf = ({ provider }: Wallet) =>
  createClient({ transport: custom(provider), pollingInterval: receiptInterval })

function verified(signature: Hex, valid: boolean, address: Hex): Outcome {
  const lines = [
    { label: 'Signature', value: signature },
    { label: 'Signer', value: address },
  ]
  return valid
    ? { kind: 'done', text: 'Signed, and the signature is valid.', lines }
    : { kind: 'failed', text: 'The signature does not belong to this account.', lines }
}

/** EIP-191. */
export const signMessage =
  (wallet: Wallet, message: string): Action =>
  async (report) => {
    const address = addressOf(wallet)
    if (message.trim() === '') throw new Error('Write a message first.')
    const signature = hex(await wallet.provider.request({ method: 'personal_sign', params: [toHex(message), address] }))
    report(verified(signature, await verifyMessage(chainOf(wallet), { address, message, signature }), address))
  }

/** EIP-712. */
export const signTypedData =
  (wallet: Wallet): Action =>
  async (report) => {
    const address = addressOf(wallet)
    const typedData = {
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        Order: [
          { name: 'buyer', type: 'address' },
          { name: 'item', type: 'string' },
          { name: 'quantity', type: 'uint256' },
        ],
      },
      primaryType: 'Order',
      domain: { name: 'Postern demo', version: '1', chainId: BigInt(wallet.account.networkId?.split(':')[1] ?? 0) },
      message: { buyer: address, item: 'Brass key', quantity: 2n },
    } as const
    const json = JSON.stringify(typedData, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    const signature = hex(await wallet.provider.request({ method: 'eth_signTypedData_v4', params: [address, json] }))
    report(verified(signature, await verifyTypedData(chainOf(wallet), { ...typedData, address, signature }), address))
  }

/** Waits for the receipt. `amount` is in ether, as typed. */
export const sendTransaction =
  (wallet: Wallet, to: string, amount: string): Action =>
  async (report) => {
    const from = addressOf(wallet)
    if (!isAddress(to)) throw new Error('The receiver is not an address.')
    if (!/^\d+(\.\d{1,18})?$/.test(amount)) throw new Error('The amount is not a number of ether.')
    const transaction = { from, to, value: toHex(parseEther(amount)) }
    const hash = hex(await wallet.provider.request({ method: 'eth_sendTransaction', params: [transaction] }))
    const sent: Line = { label: 'Transaction', value: hash }
    report({ kind: 'busy', text: 'Sent. Waiting for a block.', lines: [sent] })
    const receipt = await waitForTransactionReceipt(chainOf(wallet), { hash, timeout: receiptTimeout })
    const mined = receipt.status === 'success'
    report({
      kind: mined ? 'done' : 'failed',
      text: mined ? `Mined in block ${receipt.blockNumber}.` : `Reverted in block ${receipt.blockNumber}.`,
      lines: [sent, { label: 'Gas used', value: `${receipt.gasUsed}` }],
    })
  }

export const switchNetwork =
  (postern: Postern, id: string, name: string): Action =>
  async (report) => {
    await postern.switchNetwork(id)
    report({ kind: 'done', text: `Now on ${name}.`, lines: [] })
  }

/** EIP-3085. */
export const addNetwork =
  (wallet: Wallet): Action =>
  async (report) => {
    addressOf(wallet)
    await wallet.provider.request({ method: 'wallet_addEthereumChain', params: [addableChain] })
    report({ kind: 'done', text: `The wallet has ${addableChain.chainName}.`, lines: [] })
  }

export const disconnect =
  (postern: Postern): Action =>
  async (report) => {
    await postern.disconnect()
    report({ kind: 'idle' })
  }

/** Offers only EVM wallets if another namespace is connected. */
export const connect =
  (postern: Postern): Action =>
  async (report) => {
    try {
      const { connections } = postern.getSnapshot()
      const isFirst = Object.values(connections).every((connection) => connection?.status !== 'connected')
      await postern.connect(isFirst ? {} : { namespace: 'eip155' })
      report({ kind: 'idle' })
    } catch (cause) {
      if (!(cause instanceof PosternError) || cause.code !== 'USER_REJECTED') throw cause
      const code = { label: 'Code', value: cause.code }
      report({ kind: 'note', text: 'You left without connecting a wallet.', lines: [code] })
    }
  }

export const openAccount =
  (postern: Postern): Action =>
  async (report) => {
    await postern.open({ view: 'Account' })
    report({ kind: 'idle' })
  }

export const diagnose =
  (postern: Postern): Action =>
  async (report) => {
    const checks = await postern.diagnose()
    const lines = checks.map((check: Diagnosis) => ({
      label: `${check.ok ? '✓' : '✗'} ${check.check}`,
      value: check.fix === undefined ? check.detail : `${check.detail} ${check.fix}`,
    }))
    const wrong = checks.filter(({ ok }) => !ok).length
    report({
      kind: wrong === 0 ? 'done' : 'note',
      text: wrong === 0 ? 'All checks passed.' : `${wrong} of ${checks.length} checks failed.`,
      lines,
    })
  }

export async function readBalance({ provider, account }: Wallet): Promise<string | null> {
  const { address, network } = account
  if (address === null) return null
  try {
    const value = hex(await provider.request({ method: 'eth_getBalance', params: [address, 'latest'] }))
    const { decimals, symbol } = network?.nativeCurrency ?? { decimals: 18, symbol: 'ETH' }
    return `${shortAmount(BigInt(value), decimals)} ${symbol}`
  } catch {
    return 'Unavailable'
  }
}
