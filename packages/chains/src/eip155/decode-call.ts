import type { EvmCall } from '@postern/protocol'
import * as AbiFunction from 'ox/AbiFunction'
import * as AbiParameters from 'ox/AbiParameters'
import type { Amount } from '../amount'
import { isSameAddress } from '../same-address'

/** In order of execution. */
export type CallStep =
  /** `withheld`: the token's fee, part of the amount. `deadline`: of a signature that anyone can submit. */
  | {
      readonly kind: 'transfer'
      readonly to: string
      readonly amount: Amount
      readonly withheld?: Amount
      readonly deadline?: number
    }
  /**
   * `contract`: the called contract, if not the token (Permit2). `owner`: who gives the allowance, if not the caller.
   */
  | {
      readonly kind: 'approve'
      readonly spender: string
      readonly amount: Amount
      readonly expiry?: number
      readonly contract?: string
      readonly owner?: string
    }
  /** `total`: the new allowance, if the chain reported it. */
  | {
      readonly kind: 'increase'
      readonly spender: string
      readonly amount: Amount
      readonly total?: Amount
      readonly owner?: string
    }
  | { readonly kind: 'approveAll'; readonly spender: string; readonly token: string; readonly granted: boolean }
  /**
   * `deadline`: the signature's last time of use. `expiry`: end of the permission; infinite without an end, absent if
   * used up at once.
   */
  | {
      readonly kind: 'permit'
      readonly spender: string
      readonly amount: Amount
      readonly expiry?: number
      readonly deadline?: number
      readonly domain?: readonly Field[]
    }
  | {
      readonly kind: 'swap'
      readonly pay: Amount
      readonly receiveAtLeast: Amount
      readonly recipient: string
      readonly contract: string
    }
  /** The owner's own smart account. */
  | { readonly kind: 'deploy' }
  /** A new contract, whose code is not read. */
  | { readonly kind: 'create'; readonly bytes: number; readonly value: Amount }
  | {
      readonly kind: 'call'
      readonly contract: string
      readonly name?: string
      readonly fields: readonly Field[]
      readonly value: Amount
      /** Name and fields tell the whole effect, whatever the contract is. */
      readonly isPlain?: true
      readonly receivers?: readonly string[]
      /** Would control the caller, a smart account. */
      readonly controllers?: readonly string[]
      /** An undecoded call may change who controls the owner's smart account. */
      readonly mayGiveControl?: true
    }

export type Field = { readonly name: string; readonly value: string | readonly Field[]; readonly type?: string }

export type CallContext = {
  readonly from: string
  readonly native: { readonly symbol: string; readonly decimals: number }
  /** Trusted exchanges. Other contracts may have the same functions and break a swap's promises. */
  readonly routers?: readonly string[]
  /** Routers pay it with the call's value. */
  readonly wrapped?: string | undefined
  /** The owner's addresses: the caller may have an allowance of another one. */
  readonly own?: readonly string[]
  readonly isSmart?: boolean
}

/** Uniswap's Permit2 enforces allowances for tokens that have approved it. */
export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

type Called = {
  readonly to: string
  readonly value: Amount
  readonly isOwn: (address: string) => boolean
  readonly isRouter: boolean
  readonly wrapped: string | undefined
}
type Read = (data: `0x${string}`, called: Called) => CallStep | null

/** Amounts from here are unlimited: the largest tokens have about 2^110 units. */
const unlimited = 2n ** 112n - 1n
const unlimited96 = 2n ** 96n - 1n

export function tokenAmount(token: string, raw: bigint): Amount {
  return { raw: `${raw}`, token, ...((raw >= unlimited || raw === unlimited96) && { unlimited: true }) }
}

/** `approve` and `transferFrom` have the same bytes for ERC-20 and ERC-721. */
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

const readersBySelector: ReadonlyMap<string, Read> = new Map<string, Read>([
  entry(transfer, ([to, amount], { to: token }) => ({ kind: 'transfer', to, amount: tokenAmount(token, amount) })),
  entry(transferFrom, ([from, to, amount], { to: token, isOwn }) =>
    isOwn(from)
      ? { kind: 'transfer', to, amount: amountOrItem(token, amount) }
      : { ...call(token, 'transferFrom', { from, to, amount }), isPlain: true, receivers: [to] },
  ),
  entry(approve, ([spender, amount], { to: token }) => ({
    kind: 'approve',
    spender,
    amount: amountOrItem(token, amount),
  })),
  entry(increaseAllowance, ([spender, amount], { to: token }) => ({
    kind: 'increase',
    spender,
    amount: tokenAmount(token, amount),
  })),
  entry(decreaseAllowance, ([spender, amount], { to: token }) => ({
    ...call(token, 'decreaseAllowance', { spender, amount }),
    isPlain: true,
  })),
  entry(permit, ([owner, spender, value, deadline], { to: token, isOwn }) =>
    isOwn(owner)
      ? {
          kind: 'permit',
          spender,
          amount: tokenAmount(token, value),
          expiry: Number.POSITIVE_INFINITY,
          deadline: seconds(deadline),
        }
      : { ...call(token, 'permit', { owner, spender, value, deadline }), isPlain: true },
  ),
  entry(setApprovalForAll, ([spender, granted], { to: token }) => ({ kind: 'approveAll', spender, token, granted })),
  ...[safeTransferFrom, safeTransferFromData].map((item) =>
    entry(item, ([from, to, tokenId], context) => collectible(from, to, tokenId, 1n, context)),
  ),
  entry(safeTransferFrom1155, ([from, to, id, amount], context) => collectible(from, to, id, amount, context)),
  entry(permit2Approve, ([token, spender, amount, expiration], { to: contract }) =>
    isSameAddress(contract, permit2)
      ? {
          kind: 'approve',
          spender,
          amount: amountOrItem(token, amount),
          // 0: until the end of the call's block.
          ...(expiration !== 0 && { expiry: expiration }),
          contract,
        }
      : call(contract, 'approve', { token, spender, amount, expiration }),
  ),
  entry(swapExactTokensForTokens, ([amountIn, amountOutMin, path, to, deadline], called) =>
    swap(called, tokenAmount(path[0] ?? called.to, amountIn), tokenAmount(path.at(-1) ?? called.to, amountOutMin), to, [
      'swapExactTokensForTokens',
      { amountIn, amountOutMin, path, to, deadline },
    ]),
  ),
  entry(swapExactTokensForETH, ([amountIn, amountOutMin, path, to, deadline], called) =>
    swap(called, tokenAmount(path[0] ?? called.to, amountIn), { ...called.value, raw: `${amountOutMin}` }, to, [
      'swapExactTokensForETH',
      { amountIn, amountOutMin, path, to, deadline },
    ]),
  ),
  entry(swapExactETHForTokens, ([amountOutMin, path, to, deadline], called) =>
    swap(called, called.value, tokenAmount(path.at(-1) ?? called.to, amountOutMin), to, [
      'swapExactETHForTokens',
      { amountOutMin, path, to, deadline },
    ]),
  ),
  entry(swapTokensForExactTokens, ([amountOut, amountInMax, path, to, deadline], called) =>
    swap(called, tokenAmount(path[0] ?? called.to, amountInMax), tokenAmount(path.at(-1) ?? called.to, amountOut), to, [
      'swapTokensForExactTokens',
      { amountOut, amountInMax, path, to, deadline },
    ]),
  ),
  ...[exactInputSingle, exactInputSingle02].map((item) =>
    entry(item, ([calldata], called) =>
      swap(
        called,
        payOf(called, calldata.tokenIn, calldata.amountIn),
        tokenAmount(calldata.tokenOut, calldata.amountOutMinimum),
        calldata.recipient,
        ['exactInputSingle', calldata],
      ),
    ),
  ),
  entry(deposit, (_none, { to, value }) => ({ kind: 'call', contract: to, name: 'deposit', fields: [], value })),
  entry(withdraw, ([amount], { to }) => call(to, 'withdraw', { amount })),
])

/** A Safe's calls to itself that let another address act for it (OwnerManager, ModuleManager, GuardManager). */
const controlReaders: ReadonlyMap<string, Read> = new Map<string, Read>([
  entry(
    AbiFunction.from('function addOwnerWithThreshold(address owner, uint256 threshold)'),
    ([owner, threshold], { to }) => ({
      ...call(to, 'addOwnerWithThreshold', { owner, threshold }),
      controllers: [owner],
    }),
  ),
  entry(
    AbiFunction.from('function swapOwner(address prevOwner, address oldOwner, address newOwner)'),
    ([prevOwner, oldOwner, newOwner], { to }) => ({
      ...call(to, 'swapOwner', { prevOwner, oldOwner, newOwner }),
      controllers: [newOwner],
    }),
  ),
  ...(['enableModule', 'setGuard', 'setModuleGuard', 'setFallbackHandler'] as const).map((name) =>
    entry(AbiFunction.from(`function ${name}(address module)`), ([module], { to }) => ({
      ...call(to, name, { module }),
      controllers: [module],
    })),
  ),
])

/**
 * Reads a call's steps.
 *
 * 1. A call is one step, or two if its value is not in that step.
 * 2. Bytes that differ from their own re-encoding are an undecoded call.
 * 3. Without `to`, the call creates a contract.
 * 4. Moving from any of the owner's addresses is the owner's transfer.
 */
export function readCall(
  { to, value, data }: EvmCall,
  { from, native, routers = [], wrapped, own = [], isSmart = false }: CallContext,
): readonly CallStep[] {
  const amount: Amount = { raw: value, ...native }
  if (to === undefined) return [{ kind: 'create', bytes: (data.length - 2) / 2, value: amount }]
  if (data === '0x') return [{ kind: 'transfer', to, amount }]
  const bytes: `0x${string}` = `0x${data.slice(2).toLowerCase()}`
  const isRouter = routers.some((router) => isSameAddress(router, to))
  const readers = isSameAddress(to, from) ? [controlReaders, readersBySelector] : [readersBySelector]
  const selector = bytes.slice(0, 10)
  const read = readers.find((one) => one.has(selector))?.get(selector)
  const isOwn = (address: string) => [from, ...own].some((one) => isSameAddress(one, address))
  const step = read?.(bytes, { to, value: amount, isOwn, isRouter, wrapped })
  if (step === undefined || step === null) {
    // A smart account obeys itself and its owner.
    const isOrder = isSameAddress(to, from) ? isSmart : isOwn(to)
    return [{ ...unread(to, bytes, amount), ...(isOrder && { mayGiveControl: true }) }]
  }
  if (value === '0') return [step]
  // A plain function takes no value, so the contract is not what it seems.
  if (step.kind === 'call') {
    const { isPlain: _, ...paid } = step
    return [{ ...paid, value: amount }]
  }
  return step.kind === 'swap' && step.pay.token === undefined ? [step] : [{ kind: 'transfer', to, amount }, step]
}

export function hasKnownSelector(data: string): boolean {
  return readersBySelector.has(data.slice(0, 10).toLowerCase())
}

function unread(contract: string, data: string, value: Amount): Extract<CallStep, { kind: 'call' }> {
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
        const args = AbiParameters.decode<F['inputs']>(item.inputs, `0x${data.slice(10)}`, { checksumAddress: true })
        return rewritten(item, args) === data.toLowerCase() ? read(args, called) : null
      } catch {
        return null
      }
    },
  ]
}

function rewritten(item: AbiFunction.AbiFunction, args: unknown): string {
  return AbiFunction.encodeData(item, Array.isArray(args) ? args : []).toLowerCase()
}

function collectible(from: string, to: string, id: bigint, amount: bigint, { to: token, isOwn }: Called): CallStep {
  if (!isOwn(from))
    return { ...call(token, 'safeTransferFrom', { from, to, id, amount }), isPlain: true, receivers: [to] }
  return { kind: 'transfer', to, amount: { raw: `${amount}`, token, tokenId: `${id}`, decimals: 0 } }
}

/** A router wraps a sufficient value and keeps the rest. Source: Uniswap's PeripheryPayments. */
function payOf({ value, wrapped, isRouter }: Called, token: string, raw: bigint): Amount {
  const isWrapped = wrapped !== undefined && isSameAddress(token, wrapped)
  return isRouter && isWrapped && BigInt(value.raw) > 0n && BigInt(value.raw) >= raw ? value : tokenAmount(token, raw)
}

function swap(
  { to: contract, isRouter }: Called,
  pay: Amount,
  receiveAtLeast: Amount,
  recipient: string,
  [name, values]: readonly [name: string, values: Readonly<Record<string, unknown>>],
): CallStep {
  return isRouter
    ? { kind: 'swap', pay, receiveAtLeast, recipient, contract }
    : { ...call(contract, name, values), receivers: [recipient] }
}

function call(
  contract: string,
  name: string,
  values: Readonly<Record<string, unknown>>,
): Extract<CallStep, { kind: 'call' }> {
  const fields = Object.entries(values).map(([field, value]) => fieldOf(field, value))
  return { kind: 'call', contract, name, fields, value: { raw: '0' } }
}

function fieldOf(name: string, value: unknown): Field {
  if (Array.isArray(value)) return { name, value: value.map((one, index) => fieldOf(`${index + 1}`, one)) }
  const text = String(value)
  return { name, value: text, ...(/^0x[0-9a-fA-F]{40}$/.test(text) && { type: 'address' }) }
}

function seconds(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}
