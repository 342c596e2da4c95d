/** EVM calls, from their bytes alone. */

import type { EvmCall } from '@postern/protocol'
import * as AbiFunction from 'ox/AbiFunction'
import * as AbiParameters from 'ox/AbiParameters'
import type { Amount } from './amount'
import { isSameAddress } from './same-address'

/** One step of a call; steps are listed in order of execution. `contract` and `spender` are in the namespace's own form. */
export type CallStep =
  /** `withheld`: the token's fee, deducted from the amount. */
  | { readonly kind: 'transfer'; readonly to: string; readonly amount: Amount; readonly withheld?: Amount }
  | { readonly kind: 'approve'; readonly spender: string; readonly amount: Amount; readonly expiry?: number }
  | { readonly kind: 'approveAll'; readonly spender: string; readonly token: string; readonly granted: boolean }
  | { readonly kind: 'permit'; readonly spender: string; readonly amount: Amount; readonly expiry?: number }
  | {
      readonly kind: 'swap'
      readonly pay: Amount
      readonly receiveAtLeast: Amount
      readonly recipient: string
      readonly contract: string
    }
  /** The set-up of the owner's own smart account. */
  | { readonly kind: 'deploy' }
  /** A new contract; what its code does is not read. */
  | { readonly kind: 'create'; readonly bytes: number; readonly value: Amount }
  | {
      readonly kind: 'call'
      readonly contract: string
      readonly name?: string
      readonly fields: readonly Field[]
      readonly value: Amount
    }

/** Nested as in typed data. */
export type Field = { readonly name: string; readonly value: string | readonly Field[]; readonly type?: string }

/** The caller, and the currency of the value. */
export type CallContext = {
  readonly from: string
  readonly native: { readonly symbol: string; readonly decimals: number }
}

type Called = { readonly to: string; readonly value: Amount; readonly from: string }
/** Null if the bytes are not this function. */
type Read = (data: `0x${string}`, called: Called) => CallStep | null

/**
 * Counts as unlimited from here (the largest tokens have about 2^110 units), or at the maximum of 96-bit allowances.
 */
const unlimited = 2n ** 128n
const unlimited96 = 2n ** 96n - 1n

export function tokenAmount(token: string, raw: bigint): Amount {
  return { raw: `${raw}`, token, ...((raw >= unlimited || raw === unlimited96) && { unlimited: true }) }
}

/** `approve` and `transferFrom` have the same bytes for ERC-20 and ERC-721; only the chain distinguishes them. */
const amountOrItem = (token: string, raw: bigint): Amount => ({ ...tokenAmount(token, raw), maybeItem: true })

const transfer = AbiFunction.from('function transfer(address to, uint256 amount)')
const transferFrom = AbiFunction.from('function transferFrom(address from, address to, uint256 amount)')
const approve = AbiFunction.from('function approve(address spender, uint256 amount)')
const increaseAllowance = AbiFunction.from('function increaseAllowance(address spender, uint256 addedValue)')
const decreaseAllowance = AbiFunction.from('function decreaseAllowance(address spender, uint256 subtractedValue)')
const permit = AbiFunction.from(
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
)
const setApprovalForAll = AbiFunction.from('function setApprovalForAll(address operator, bool approved)')
const safeTransferFrom = AbiFunction.from('function safeTransferFrom(address from, address to, uint256 tokenId)')
const safeTransferFromData = AbiFunction.from(
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
)
const safeTransferFrom1155 = AbiFunction.from(
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
)
const permit2Approve = AbiFunction.from(
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
)
const swapExactTokensForTokens = AbiFunction.from(
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
)
const swapExactTokensForETH = AbiFunction.from(
  'function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
)
const swapExactETHForTokens = AbiFunction.from(
  'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)',
)
const swapTokensForExactTokens = AbiFunction.from(
  'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)',
)
const exactInputSingle = AbiFunction.from(
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
)
const exactInputSingle02 = AbiFunction.from(
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
)
const deposit = AbiFunction.from('function deposit()')
const withdraw = AbiFunction.from('function withdraw(uint256 amount)')

/** Readers of calls, by selector. */
const known: ReadonlyMap<string, Read> = new Map<string, Read>([
  entry(transfer, ([to, amount], { to: token }) => ({ kind: 'transfer', to, amount: tokenAmount(token, amount) })),
  entry(transferFrom, ([from, to, amount], { to: token, from: own }) =>
    isSameAddress(from, own)
      ? { kind: 'transfer', to, amount: amountOrItem(token, amount) }
      : call(token, 'transferFrom', { from, to, amount }),
  ),
  entry(approve, ([spender, amount], { to: token }) => ({
    kind: 'approve',
    spender,
    amount: amountOrItem(token, amount),
  })),
  entry(increaseAllowance, ([spender, amount], { to: token }) => ({
    kind: 'approve',
    spender,
    amount: tokenAmount(token, amount),
  })),
  entry(decreaseAllowance, ([spender, amount], { to: token }) => call(token, 'decreaseAllowance', { spender, amount })),
  entry(permit, ([owner, spender, value, deadline], { to: token, from }) =>
    isSameAddress(owner, from)
      ? { kind: 'permit', spender, amount: tokenAmount(token, value), expiry: seconds(deadline) }
      : call(token, 'permit', { owner, spender, value }),
  ),
  entry(setApprovalForAll, ([spender, granted], { to: token }) => ({ kind: 'approveAll', spender, token, granted })),
  ...[safeTransferFrom, safeTransferFromData].map((item) =>
    entry(item, ([from, to, tokenId], context) => collectible(from, to, tokenId, 1n, context)),
  ),
  entry(safeTransferFrom1155, ([from, to, id, amount], context) => collectible(from, to, id, amount, context)),
  entry(permit2Approve, ([token, spender, amount, expiration]) => ({
    kind: 'approve',
    spender,
    // Permit2 moves it by `transferFrom`.
    amount: amountOrItem(token, amount),
    expiry: Number(expiration),
  })),
  entry(swapExactTokensForTokens, ([amountIn, min, path, recipient], { to: contract }) =>
    swap(tokenAmount(path[0] ?? contract, amountIn), tokenAmount(path.at(-1) ?? contract, min), recipient, contract),
  ),
  entry(swapExactTokensForETH, ([amountIn, min, path, recipient], { to: contract, value }) =>
    swap(tokenAmount(path[0] ?? contract, amountIn), { ...value, raw: `${min}` }, recipient, contract),
  ),
  entry(swapExactETHForTokens, ([min, path, recipient], { to: contract, value }) =>
    swap(value, tokenAmount(path.at(-1) ?? contract, min), recipient, contract),
  ),
  entry(swapTokensForExactTokens, ([amountOut, max, path, recipient], { to: contract }) =>
    swap(tokenAmount(path[0] ?? contract, max), tokenAmount(path.at(-1) ?? contract, amountOut), recipient, contract),
  ),
  ...[exactInputSingle, exactInputSingle02].map((item) =>
    entry(item, ([calldata], { to: contract }) =>
      swap(
        tokenAmount(calldata.tokenIn, calldata.amountIn),
        tokenAmount(calldata.tokenOut, calldata.amountOutMinimum),
        calldata.recipient,
        contract,
      ),
    ),
  ),
  entry(deposit, (_none, { to, value }) => ({ kind: 'call', contract: to, name: 'deposit', fields: [], value })),
  entry(withdraw, ([amount], { to }) => call(to, 'withdraw', { amount })),
])

/**
 * 1. A call is one step, or two if it also carries a value that the step does not show; a call without data is a
 *    transfer of its value.
 * 2. Bytes that differ from their own re-encoding are shown as an undecoded call.
 * 3. Without `to`, it creates a contract.
 */
export function readCall({ to, value, data }: EvmCall, { from, native }: CallContext): readonly CallStep[] {
  const amount: Amount = { raw: value, ...native }
  if (to === undefined) return [{ kind: 'create', bytes: (data.length - 2) / 2, value: amount }]
  if (data === '0x') return [{ kind: 'transfer', to, amount }]
  const bytes: `0x${string}` = `0x${data.slice(2).toLowerCase()}`
  const step = known.get(bytes.slice(0, 10))?.(bytes, { to, value: amount, from })
  if (step === undefined || step === null) return [unread(to, bytes, amount)]
  if (value === '0') return [step]
  // Decoded calls can carry value too.
  if (step.kind === 'call') return [{ ...step, value: amount }]
  return step.kind === 'swap' && step.pay.token === undefined ? [step] : [{ kind: 'transfer', to, amount }, step]
}

/** Whether the call data starts with a known selector. */
export function hasKnownSelector(data: string): boolean {
  return known.has(data.slice(0, 10).toLowerCase())
}

function unread(contract: string, data: string, value: Amount): CallStep {
  return { kind: 'call', contract, fields: [{ name: 'data', value: data, type: 'bytes' }], value }
}

function entry<const F extends AbiFunction.AbiFunction>(
  item: F,
  read: (args: AbiParameters.decode.ReturnType<F['inputs']>, called: Called) => CallStep,
): readonly [string, Read] {
  return [
    AbiFunction.getSelector(item),
    (data, called) => {
      try {
        // EIP-55, to compare with the source.
        const args = AbiParameters.decode<F['inputs']>(item.inputs, `0x${data.slice(10)}`, { checksumAddress: true })
        return rewritten(item, args) === data.toLowerCase() ? read(args, called) : null
      } catch {
        return null
      }
    },
  ]
}

/** If re-encoding changes the bytes, the call is not what it seems. */
function rewritten(item: AbiFunction.AbiFunction, args: unknown): string {
  return AbiFunction.encodeData(item, Array.isArray(args) ? args : []).toLowerCase()
}

function collectible(from: string, to: string, id: bigint, amount: bigint, { to: token, from: own }: Called): CallStep {
  if (!isSameAddress(from, own)) return call(token, 'safeTransferFrom', { from, to, id })
  return { kind: 'transfer', to, amount: { raw: `${amount}`, token, tokenId: `${id}`, decimals: 0 } }
}

function swap(pay: Amount, receiveAtLeast: Amount, recipient: string, contract: string): CallStep {
  return { kind: 'swap', pay, receiveAtLeast, recipient, contract }
}

function call(contract: string, name: string, values: Readonly<Record<string, unknown>>): CallStep {
  const fields = Object.entries(values).map(([field, value]): Field => ({ name: field, value: String(value) }))
  return { kind: 'call', contract, name, fields, value: { raw: '0' } }
}

function seconds(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}
