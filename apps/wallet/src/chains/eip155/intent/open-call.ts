/**
 * Opens calls that contain calls. Sources: Safe 1.5.0 (MultiSend, Safe, ModuleManager, Safe4337Module), Multicall3,
 * Uniswap's Multicall and Permit2, ERC-7579, and the accounts of ERC-4337 (SimpleAccount, Coinbase Smart Wallet).
 */
import { type CallContext, permit2 } from '@postern/chains/eip155/decode-call'
import { safeOperations } from '@postern/chains/eip155/safe-contracts'
import { isSameAddress } from '@postern/chains/same-address'
import * as AbiFunction from 'ox/AbiFunction'
import * as AbiParameters from 'ox/AbiParameters'

export type InnerCall = {
  readonly to: string
  readonly value: string
  readonly data: string
  readonly operation: number
}

/** `isShared`: the contract calls itself as its caller, each time with the call's value. */
export type Opened = { readonly calls: readonly InnerCall[]; readonly isShared: boolean }

type Open = (data: `0x${string}`, to: string, context: CallContext) => Opened | null

const call = (to: string, value: bigint, data: string, operation = 0): InnerCall => ({
  to,
  value: `${value}`,
  data,
  operation,
})
const by = (calls: readonly InnerCall[] | null): Opened | null => (calls === null ? null : { calls, isShared: false })
const shared = (to: string, datas: readonly string[]): Opened => ({
  calls: datas.map((data) => call(to, 0n, data)),
  isShared: true,
})

const transferFrom = AbiFunction.from('function transferFrom(address from, address to, uint256 amount)')
const approve = AbiFunction.from('function approve(address token, address spender, uint160 amount, uint48 expiration)')
type Moved = {
  readonly from: `0x${string}`
  readonly to: `0x${string}`
  readonly amount: bigint
  readonly token: string
}
type Allowed = { readonly token: `0x${string}`; readonly amount: bigint; readonly expiration: number }

const move = ({ from, to, amount, token }: Moved) =>
  call(token, 0n, AbiFunction.encodeData(transferFrom, [from, to, amount]))

/** Null for other owners, who sign for themselves. */
function allow(owner: string, spender: `0x${string}`, details: readonly Allowed[], to: string, context: CallContext) {
  const isOwn = [context.from, ...(context.own ?? [])].some((one) => isSameAddress(one, owner))
  if (!isOwn || !isSameAddress(to, permit2)) return null
  const calls = details.map(({ token, amount, expiration }) =>
    call(permit2, 0n, AbiFunction.encodeData(approve, [token, spender, amount, expiration])),
  )
  return { calls, isShared: true }
}

const openers: ReadonlyMap<string, Open> = new Map<string, Open>([
  entry(AbiFunction.from('function multiSend(bytes transactions)'), ([transactions], self) =>
    by(unpacked(transactions, self)),
  ),
  entry(AbiFunction.from('function multicall(bytes[] data)'), ([datas], to) => shared(to, datas)),
  entry(AbiFunction.from('function multicall(uint256 deadline, bytes[] data)'), ([, datas], to) => shared(to, datas)),
  entry(AbiFunction.from('function multicall(bytes32 previousBlockhash, bytes[] data)'), ([, datas], to) =>
    shared(to, datas),
  ),
  ...(['aggregate', 'blockAndAggregate'] as const).map((name) =>
    entry(AbiFunction.from(`function ${name}((address target, bytes callData)[] calls)`), ([calls]) =>
      by(calls.map(({ target, callData }) => call(target, 0n, callData))),
    ),
  ),
  ...(['tryAggregate', 'tryBlockAndAggregate'] as const).map((name) =>
    entry(
      AbiFunction.from(`function ${name}(bool requireSuccess, (address target, bytes callData)[] calls)`),
      ([, calls]) => by(calls.map(({ target, callData }) => call(target, 0n, callData))),
    ),
  ),
  entry(
    AbiFunction.from('function aggregate3((address target, bool allowFailure, bytes callData)[] calls)'),
    ([calls]) => by(calls.map(({ target, callData }) => call(target, 0n, callData))),
  ),
  entry(
    AbiFunction.from(
      'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
    ),
    ([calls]) => by(calls.map(({ target, value, callData }) => call(target, value, callData))),
  ),
  entry(
    AbiFunction.from(
      'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
    ),
    ([to, value, data, operation]) => by(operationOf(to, value, data, operation)),
  ),
  ...(
    [
      'execTransactionFromModule',
      'execTransactionFromModuleReturnData',
      'executeUserOp',
      'executeUserOpWithErrorString',
    ] as const
  ).map((name) =>
    entry(
      AbiFunction.from(`function ${name}(address to, uint256 value, bytes data, uint8 operation)`),
      ([to, value, data, operation]) => by(operationOf(to, value, data, operation)),
    ),
  ),
  entry(AbiFunction.from('function execute(address target, uint256 value, bytes data)'), ([to, value, data]) =>
    by([call(to, value, data)]),
  ),
  ...(['execute', 'executeBatch'] as const).map((name) =>
    entry(AbiFunction.from(`function ${name}((address target, uint256 value, bytes data)[] calls)`), ([calls]) =>
      by(calls.map(({ target, value, data }) => call(target, value, data))),
    ),
  ),
  entry(AbiFunction.from('function executeBatch(address[] targets, bytes[] datas)'), ([targets, datas]) =>
    by(zipped(targets, [], datas)),
  ),
  entry(
    AbiFunction.from('function executeBatch(address[] targets, uint256[] values, bytes[] datas)'),
    ([targets, values, datas]) => by(zipped(targets, values, datas)),
  ),
  ...(['execute', 'executeFromExecutor'] as const).map((name) =>
    entry(AbiFunction.from(`function ${name}(bytes32 mode, bytes executionCalldata)`), ([mode, data]) =>
      by(executionOf(mode, data)),
    ),
  ),
  entry(
    AbiFunction.from('function transferFrom(address from, address to, uint160 amount, address token)'),
    ([from, to, amount, token], contract) =>
      isSameAddress(contract, permit2) ? by([move({ from, to, amount, token })]) : null,
  ),
  entry(
    AbiFunction.from('function transferFrom((address from, address to, uint160 amount, address token)[] details)'),
    ([details], contract) => (isSameAddress(contract, permit2) ? by(details.map(move)) : null),
  ),
  entry(
    AbiFunction.from(
      'function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)',
    ),
    ([owner, { details, spender }], to, context) => allow(owner, spender, [details], to, context),
  ),
  entry(
    AbiFunction.from(
      'function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)',
    ),
    ([owner, { details, spender }], to, context) => allow(owner, spender, details, to, context),
  ),
])

/** Null unless the bytes are exactly those of a known form. */
export function openCall(to: string, data: string, context: CallContext): Opened | null {
  const bytes: `0x${string}` = `0x${data.slice(2).toLowerCase()}`
  return openers.get(bytes.slice(0, 10))?.(bytes, to, context) ?? null
}

function entry<const F extends AbiFunction.AbiFunction>(
  item: F,
  open: (args: AbiParameters.decode.ReturnType<F['inputs']>, to: string, context: CallContext) => Opened | null,
): readonly [string, Open] {
  return [
    AbiFunction.getSelector(item),
    (data, to, context) => {
      try {
        const args = AbiParameters.decode<F['inputs']>(item.inputs, `0x${data.slice(10)}`, { checksumAddress: true })
        return rewritten(item, args) === data ? open(args, to, context) : null
      } catch {
        return null
      }
    },
  ]
}

function rewritten(item: AbiFunction.AbiFunction, args: unknown): string {
  return AbiFunction.encodeData(item, Array.isArray(args) ? args : []).toLowerCase()
}

function operationOf(to: string, value: bigint, data: string, operation: number): readonly InnerCall[] | null {
  return isOperation(operation) ? [call(to, value, data, operation)] : null
}

function isOperation(operation: number): boolean {
  return operation === safeOperations.call || operation === safeOperations.delegateCall
}

function zipped(
  targets: readonly string[],
  values: readonly bigint[],
  datas: readonly string[],
): readonly InnerCall[] | null {
  if (targets.length !== datas.length || (values.length > 0 && values.length !== targets.length)) return null
  return targets.map((to, at) => call(to, values[at] ?? 0n, datas[at] ?? '0x'))
}

const wordLength = 64

/**
 * Operation (1 byte), address (20), value (32), length (32), data. In MultiSend 1.5.0 the zero address means the
 * caller.
 */
function unpacked(transactions: string, self: string): readonly InnerCall[] | null {
  const calls: InnerCall[] = []
  let rest = transactions.slice(2)
  while (rest !== '') {
    const [, operation, to, value, length] = /^(..)(.{40})(.{64})(.{64})/.exec(rest) ?? []
    if (operation === undefined || to === undefined || value === undefined || length === undefined) return null
    const start = 2 + 40 + 2 * wordLength
    const size = BigInt(`0x${length}`) * 2n
    if (size > BigInt(rest.length - start) || !isOperation(Number(operation))) return null
    const end = start + Number(size)
    calls.push(
      call(/^0*$/.test(to) ? self : `0x${to}`, BigInt(`0x${value}`), `0x${rest.slice(start, end)}`, Number(operation)),
    )
    rest = rest.slice(end)
  }
  return calls
}

const batch = AbiParameters.from('(address target, uint256 value, bytes callData)[] calls')

/** ERC-7579: the mode's first byte is the call type. */
function executionOf(mode: string, data: `0x${string}`): readonly InnerCall[] | null {
  switch (mode.slice(2, 4)) {
    case '00': {
      const [, to, value, rest] = /^0x(.{40})(.{64})(.*)$/.exec(data) ?? []
      return to === undefined || value === undefined ? null : [call(`0x${to}`, BigInt(`0x${value}`), `0x${rest ?? ''}`)]
    }
    case '01': {
      const [calls] = AbiParameters.decode(batch, data, { checksumAddress: true })
      if (AbiParameters.encode(batch, [calls]).toLowerCase() !== data.toLowerCase()) return null
      return calls.map(({ target, value, callData }) => call(target, value, callData))
    }
    case 'ff': {
      const [, to, rest] = /^0x(.{40})(.*)$/.exec(data) ?? []
      return to === undefined ? null : [call(`0x${to}`, 0n, `0x${rest ?? ''}`, safeOperations.delegateCall)]
    }
    default:
      return null
  }
}
