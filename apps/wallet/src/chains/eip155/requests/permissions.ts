/**
 * wallet_grantPermissions and wallet_revokePermissions (ERC-7715), if smart sessions are on. Another account may move
 * an amount of a token until a time. Permit2's allowances enforce it (audited; same address on every chain):
 * https://github.com/Uniswap/permit2, AllowanceTransfer.
 */
import { type ApprovalSubject, canonicalJson } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import {
  type Address,
  concat,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  maxUint160,
  maxUint256,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem'
import * as z from 'zod/mini'
import type { ChainContext, PreparedRequest } from '../../../contract'
import { type Accounts, chooseAccount } from '../account/accounts'
import type { SafeCall } from '../account/safe'
import { hasCode } from '../account/smart-accounts'
import { type Ask, chainOf } from '../endpoints/endpoints'
import { addressOf, bytesOf, EvmAddress, HexBytes, LooseQuantity, Quantity } from '../endpoints/quantities'
import { Operation } from '../operations/form'
import {
  checkedOperation,
  executeOperation,
  type OperationSubject,
  prepareOperation,
  subjectOf,
} from '../operations/user-operation'
import type { EvmState } from '../sent/state'
import { waitForOperation } from './send-transaction'

type Subject = Extract<ApprovalSubject, { kind: 'eip155.permissions' }>

export const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function lockdown((address token, address spender)[] approvals)',
])
const tokenAbi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
])

/** All that the chain can enforce: no limits of gas, calls or rate, no native currency, no contract calls. */
const permissionType = 'erc20-token-transfer'
const policyType = 'token-allowance'
const maxPermissions = 16

const Permission = z.object({
  type: z.literal(permissionType),
  data: z.object({ address: EvmAddress }),
  policies: z.tuple([
    z.object({
      type: z.literal(policyType),
      data: z.object({ allowance: LooseQuantity.check(z.gt(0n), z.lte(maxUint160)) }),
    }),
  ]),
})
const Grant = z.tuple([
  z.object({
    chainId: z.nullish(Quantity),
    address: z.nullish(z.string()),
    /** Epoch seconds; 48 bits on chain. */
    expiry: z.int().check(z.positive(), z.lt(2 ** 48)),
    signer: z.object({ type: z.literal('account'), data: z.object({ address: EvmAddress }) }),
    permissions: z
      .array(z.looseObject({ required: z.nullish(z.boolean()) }))
      .check(z.minLength(1), z.maxLength(maxPermissions)),
  }),
])
const Revoke = z.tuple([z.object({ permissionsContext: HexBytes, address: z.nullish(z.string()) })])

export const permissionsCapability = {
  supported: true,
  signerTypes: ['account'],
  permissionTypes: [permissionType],
  policyTypes: [policyType],
} as const

/**
 * Prepares a grant.
 *
 * 1. Without smart sessions it is rejected like an unknown method. The plain account and a network without Permit2 do
 *    not support it.
 * 2. A `required` permission that cannot be enforced is INVALID_PARAMS.
 * 3. The approval shows what the signed calls decode to.
 * 4. The token's allowance to Permit2 grows by the granted amount, and never becomes unlimited.
 */
export async function prepareGrant(
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<PreparedRequest> {
  const smart = await requireSessions(accounts, context)
  const [{ chainId, address, expiry, signer, permissions: requested }] = parseParams(Grant, params)
  if (chainId !== null && chainId !== undefined && chainId !== BigInt(accounts.chainId))
    throw new Failure('CHAIN_DISCONNECTED')
  if (chooseAccount(accounts, address ?? smart).type !== 'smartAccount') throw new Failure('UNAUTHORIZED')
  if (expiry <= Date.now() / 1_000)
    throw new Failure('INVALID_PARAMS', { message: 'The permission has expired already' })
  const spender = signer.data.address
  const permissions = requested.flatMap((one) => enforceable(one))
  const tokens = permissions.map(({ data }) => data.address)
  if (new Set(tokens).size !== tokens.length || tokens.length === 0) throw new Failure('INVALID_PARAMS')
  const calls = await Promise.all(
    permissions.map(
      async ({
        data,
        policies: [
          {
            data: { allowance },
          },
        ],
      }) => [
        ...(await raiseAllowance(chainOf(context), smart, data.address, allowance)),
        permit2Call(
          encodeFunctionData({ abi, functionName: 'approve', args: [data.address, spender, allowance, expiry] }),
        ),
      ],
    ),
  )
  const operation = await prepareOperation(calls.flat(), { ...accounts, smart }, context, { sent })
  return { subject: toSubject(operation) }
}

export async function prepareRevoke(
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<PreparedRequest> {
  const smart = await requireSessions(accounts, context)
  const [{ permissionsContext }] = parseParams(Revoke, params)
  const known = readContext(permissionsContext)
  if (known === null || known.chainId !== BigInt(accounts.chainId))
    throw new Failure('INVALID_PARAMS', { message: 'There is no permission of this context on this network' })
  const { spender } = known
  const approvals = known.tokens.map((token) => ({ token, spender }))
  const call = permit2Call(encodeFunctionData({ abi, functionName: 'lockdown', args: [approvals] }))
  const operation = await prepareOperation([call], { ...accounts, smart }, context, { sent })
  return { subject: toSubject(operation) }
}

async function requireSessions({ smart }: Accounts, context: ChainContext): Promise<Address> {
  if (!context.smartSessions) throw new Failure('RPC_NOT_ALLOWED')
  if (smart === null || context.accountType !== 'smartAccount')
    throw new Failure('UNSUPPORTED_METHOD', {
      message: 'The plain account grants no permissions: switch to the smart account',
    })
  if (!(await hasCode(chainOf(context), permit2Address)))
    throw new Failure('UNSUPPORTED_METHOD', { message: 'Permissions cannot be enforced on this network' })
  return smart
}

function enforceable(requested: Readonly<Record<string, unknown>>): z.infer<typeof Permission>[] {
  const parsed = Permission.safeParse(requested)
  if (parsed.success) return [parsed.data]
  if (requested.required === false) return []
  throw new Failure('INVALID_PARAMS', {
    message: 'This permission cannot be enforced: only an allowance of a token can',
    cause: parsed.error,
  })
}

/** Some tokens require a reset to zero first. */
async function raiseAllowance(ask: Ask, owner: Address, token: Address, amount: bigint): Promise<readonly SafeCall[]> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args: [owner, permit2Address] })
  const answer = await ask('eth_call', [{ to: token, data }, 'latest'], HexBytes)
  if (size(answer) !== 32) throw new Failure('INVALID_PARAMS', { message: 'This is no token' })
  const current = hexToBigInt(answer)
  if (current > maxUint256 - amount) return []
  const approve = (allowance: bigint) => ({
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [permit2Address, allowance] }),
  })
  return current === 0n ? [approve(amount)] : [approve(0n), approve(current + amount)]
}

function permit2Call(data: Hex): SafeCall {
  return { to: permit2Address, value: 0n, data }
}

function toSubject({ from, calls, fees, operation, hash }: OperationSubject): Subject {
  return { kind: 'eip155.permissions', ...readCalls(calls), from, calls, fees, operation, hash }
}

type Granted = Pick<Subject, 'action' | 'signer' | 'expiry' | 'permissions'>

function readCalls(calls: OperationSubject['calls']): Granted {
  const read = calls.flatMap(({ to, data }) => {
    if (to === permit2Address) return [decodeFunctionData({ abi, data: bytesOf(data) })]
    const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data: bytesOf(data) })
    if (functionName !== 'approve' || args[0] !== permit2Address) throw new Failure('INTERNAL')
    return []
  })
  const [first] = read
  if (first?.functionName === 'lockdown') {
    const [approvals] = first.args
    const signer = approvals[0]?.spender
    if (signer === undefined || calls.length !== 1 || approvals.some(({ spender }) => spender !== signer))
      throw new Failure('INTERNAL')
    const permissions = approvals.map(({ token }) => ({ type: permissionType, data: { address: token } }))
    return { action: 'revoke', signer, permissions }
  }
  if (first === undefined) throw new Failure('INTERNAL')
  const [, signer, , expiry] = first.args
  const permissions = read.map((call) => {
    if (call.functionName !== 'approve' || call.args[1] !== signer || call.args[3] !== expiry)
      throw new Failure('INTERNAL')
    const [address, , allowance] = call.args
    return { type: permissionType, data: { address, allowance: String(allowance) } }
  })
  return { action: 'grant', signer, expiry, permissions }
}

export async function executePermissions(
  subject: Subject,
  accounts: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<unknown> {
  if (!context.smartSessions) throw new Failure('RPC_NOT_ALLOWED')
  const operation = checkedPermissions(subject, accounts.chainId)
  await executeOperation(operation, accounts, context, sent)
  await waitForOperation(operation, accounts, context, sent)
  return subject.action === 'revoke' ? {} : answerOf(subject, accounts.chainId)
}

function checkedPermissions(subject: Subject, chainId: number): OperationSubject {
  const parsed = Operation.safeParse(subject.operation)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  const { sponsored, deploys } = subjectOf(parsed.data, chainId)
  const { from, calls, fees, operation, hash } = subject
  const own: OperationSubject = { kind: 'eip155.userOperation', from, calls, fees, sponsored, deploys, operation, hash }
  checkedOperation(own, chainId)
  const { action, signer, expiry, permissions } = subject
  if (canonicalJson({ action, signer, expiry, permissions }) !== canonicalJson(readCalls(calls)))
    throw new Failure('INTERNAL')
  return own
}

function answerOf({ from, signer, expiry, permissions }: Subject, chainId: number) {
  const spender = addressOf(signer ?? '')
  const granted = permissions.map(({ data }) => ({
    type: permissionType,
    data: { address: data.address },
    policies: [{ type: policyType, data: { allowance: numberToHex(BigInt(String(data.allowance))) } }],
  }))
  const context = writeContext({
    chainId: BigInt(chainId),
    spender,
    tokens: permissions.map(({ data }) => addressOf(String(data.address))),
  })
  return {
    chainId: numberToHex(chainId),
    address: from,
    expiry,
    signer: { type: 'account', data: { address: spender } },
    permissions: granted,
    grantedPermissions: granted,
    context,
    permissionsContext: context,
    /** The signer calls `transferFrom(account, to, amount, token)` there. */
    signerData: { submitToAddress: permit2Address },
  }
}

type PermissionsContext = { readonly chainId: bigint; readonly spender: Address; readonly tokens: readonly Address[] }

const contextHead = '0x70737037'

/** `"psp7"`, chain id (8 bytes), spender, tokens. Identifies what to revoke, grants nothing. */
function writeContext({ chainId, spender, tokens }: PermissionsContext): Hex {
  return concat([contextHead, numberToHex(chainId, { size: 8 }), spender, ...tokens])
}

function readContext(context: Hex): PermissionsContext | null {
  const count = (size(context) - 32) / 20
  if (!Number.isInteger(count) || count < 1 || count > maxPermissions || slice(context, 0, 4) !== contextHead)
    return null
  const tokens = Array.from({ length: count }, (_, at) => addressOf(slice(context, 32 + at * 20, 52 + at * 20)))
  return { chainId: hexToBigInt(slice(context, 4, 12)), spender: addressOf(slice(context, 12, 32)), tokens }
}
