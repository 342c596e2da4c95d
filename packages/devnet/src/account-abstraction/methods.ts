import { type Hex, numberToHex } from 'viem'
import * as z from 'zod'
import { entryPoint } from './addresses'
import type { Bundler } from './bundler'
import { BundlerError, bundlerCodes } from './bundler-error'
import type { Paymaster } from './paymaster'
import { AddressText, Bytes, DraftOperation, FinalOperation, operationToRpc } from './user-operation'

export type Methods = Readonly<Record<string, (params: unknown) => Promise<unknown>>>

const EntryPoint = AddressText.refine((address) => address === entryPoint, { error: 'only EntryPoint 0.7 is served' })
const Hash = Bytes.refine((hash) => hash.length === 66)
const ChainId = z.string().regex(/^0x[0-9a-f]+$/i)
const optionalRest = z.unknown()

const Send = z.tuple([FinalOperation, EntryPoint])
const Estimate = z.tuple([DraftOperation, EntryPoint]).rest(optionalRest)
const ByHash = z.tuple([Hash])
const Sponsored = z.tuple([DraftOperation, EntryPoint, ChainId]).rest(optionalRest)

const hexOf = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === 'bigint' ? numberToHex(value) : value]),
  )

export function bundlerMethods(bundler: Bundler, chainId: number): Methods {
  const byHash = (params: unknown): Hex => parse(ByHash, params)[0]
  return {
    eth_chainId: async () => numberToHex(chainId),
    eth_supportedEntryPoints: async () => [entryPoint],
    eth_sendUserOperation: (params) => bundler.send(parse(Send, params)[0]),
    eth_estimateUserOperationGas: async (params) => hexOf(await bundler.estimate(parse(Estimate, params)[0])),
    eth_getUserOperationReceipt: (params) => bundler.receipt(byHash(params)),
    async eth_getUserOperationByHash(params) {
      const known = await bundler.get(byHash(params))
      if (known === null) return null
      const { transactionHash = null, blockHash = null, blockNumber = null } = known.receipt?.receipt ?? {}
      return { userOperation: operationToRpc(known.operation), entryPoint, transactionHash, blockHash, blockNumber }
    },
  }
}

/** @param pays whether the paymaster pays at the moment */
export function paymasterMethods(paymaster: Paymaster, chainId: number, pays: () => boolean): Methods {
  const operationOf = (params: unknown) => {
    const [operation, , chain] = parse(Sponsored, params)
    if (BigInt(chain) !== BigInt(chainId)) throw new BundlerError('invalid', `This is chain ${chainId}.`)
    if (!pays()) throw new BundlerError('declined', 'This paymaster is switched off.')
    return operation
  }
  return {
    async pm_getPaymasterStubData(params) {
      operationOf(params)
      return { ...hexOf(await paymaster.stub()), sponsor: { name: 'Postern devnet' } }
    },
    pm_getPaymasterData: async (params) => paymaster.sponsor(operationOf(params)),
  }
}

function parse<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BundlerError('invalid', `Invalid params: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim())
}

const Id = z.union([z.string(), z.number(), z.null()])
const Request = z.object({ jsonrpc: z.literal('2.0'), id: Id, method: z.string(), params: z.unknown().optional() })

/** Answers one request; like the gateway, it refuses a batch. An unreadable request gets an error. */
export async function answerRpc(methods: Methods, body: string): Promise<unknown> {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    return failure(null, -32700, 'The body is not JSON.')
  }
  return answerOne(methods, message)
}

async function answerOne(methods: Methods, message: unknown): Promise<unknown> {
  const parsed = Request.safeParse(message)
  if (!parsed.success) return failure(null, -32600, 'The body is not a request.')
  const { id, method, params = [] } = parsed.data
  const serve = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (serve === undefined) return failure(id, bundlerCodes.methodNotFound, `The method ${method} does not exist.`)
  try {
    return { jsonrpc: '2.0', id, result: await serve(params) }
  } catch (cause) {
    if (cause instanceof BundlerError) return failure(id, cause.code, cause.message, cause.data)
    return failure(id, -32603, cause instanceof Error ? cause.message : 'Something went wrong.')
  }
}

const failure = (id: z.infer<typeof Id>, code: number, message: string, data?: Hex) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
})
