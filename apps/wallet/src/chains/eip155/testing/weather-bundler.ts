/** A deployed smart account on a chain in memory, and its bundler, with what real bundlers do to an operation. */
import { decodeFunctionData, type Hex, numberToHex, pad, parseAbi, slice } from 'viem'
import * as z from 'zod/mini'
import { decodeCalls, safeContracts } from '../account/safe'
import { Operation, operationHash } from '../operations/form'
import { operationBlocks, Refused, type Sent } from './operation-blocks'

/**
 * Of the next broadcast. `cut` and `dropped` abort the request; only `cut` arrives. `lost`: accepted, then forgotten.
 * `denied`: accepted, and answered with an error. `outbid`: refused for its price.
 */
export type BundlerFate = 'refused' | 'outbid' | 'cut' | 'dropped' | 'lost' | 'denied'

const chainId = 31_337
const gwei = 10n ** 9n
const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
const Wire = z.record(z.string(), z.string())
const EntryPointCall = z.object({ to: z.string(), data: z.templateLiteral(['0x', z.string()]) })
const abi = parseAbi([
  'function getNonce(address sender, uint192 key) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
])

const Calls = z.union([z.array(Call), Call])

const gas = { callGasLimit: '0x10000', verificationGasLimit: '0x10000', preVerificationGas: '0xc000' }
const always: Readonly<Record<string, unknown>> = {
  eth_getCode: '0x01',
  eth_getBalance: numberToHex(10n ** 24n),
  eth_maxPriorityFeePerGas: '0x1',
  eth_feeHistory: { reward: [['0x1']] },
  eth_gasPrice: numberToHex(gwei),
  eth_estimateUserOperationGas: gas,
}

function read(wire: unknown): Sent {
  const { signature = '0x', ...members } = Wire.parse(wire)
  const validUntil = slice(`0x${signature.slice(2)}`, 6, 12)
  const operation = Operation.parse({ ...members, validUntil })
  const [call] = decodeCalls(operation.callData) ?? []
  return { hash: operationHash(operation, chainId), operation, value: call?.value ?? 0n }
}

/** By a tenth, as bundlers ask for. */
function outbids(earlier: Operation, later: Operation): boolean {
  const rises = (fee: 'maxFeePerGas' | 'maxPriorityFeePerGas') => later[fee] * 10n >= earlier[fee] * 11n
  return rises('maxFeePerGas') && rises('maxPriorityFeePerGas')
}

/** `now`: in epoch seconds. */
export function weatherBundler(now: () => bigint) {
  const mined: Sent[] = []
  const blocks = operationBlocks(now)
  /** A block has them, and the bundler never learns of it. */
  const unlearnt = new Set<Hex>()
  let isBlind = false
  let broadcasts = 0
  /** Without receipts yet: the bundler is behind the chain. */
  let unseen = new Set<Hex>()
  let isLate = false
  /** Before the last block that nodes and bundler have not seen yet. */
  let seenBefore: readonly Sent[] | null = null
  let waiting: Sent[] = []
  let bundled: Sent[] = []
  let fate: BundlerFate | null = null
  let cut = () => {}

  const laneOf = (nonce: bigint) => nonce >> 64n
  const nextOf = (lane: bigint) =>
    (lane << 64n) + BigInt((seenBefore ?? mined).filter(({ operation }) => laneOf(operation.nonce) === lane).length)

  function accept(sent: Sent): Hex {
    const { nonce, validUntil } = sent.operation
    if (now() > validUntil) throw new Refused('AA22 expired or not due')
    if (nonce !== nextOf(laneOf(nonce))) throw new Refused('AA25 invalid account nonce')
    const earlier = waiting.find((one) => one.operation.nonce === nonce)
    if (earlier !== undefined && earlier.hash !== sent.hash && !outbids(earlier.operation, sent.operation))
      throw new Refused('replacement operation underpriced')
    waiting = [...waiting.filter((one) => one !== earlier), sent]
    return sent.hash
  }

  function broadcast(wire: unknown): Hex {
    const sent = read(wire)
    const drawn = fate
    fate = null
    broadcasts += 1
    if (drawn === 'refused') throw new Refused('AA24 signature error')
    if (drawn === 'outbid') throw new Refused('replacement operation underpriced')
    if (drawn !== 'dropped') accept(sent)
    if (drawn === 'denied') throw new Refused('Internal error')
    if (drawn === 'lost') waiting = waiting.filter((one) => one.hash !== sent.hash)
    if (drawn === 'cut' || drawn === 'dropped') {
      cut()
      throw new TypeError('Failed to fetch')
    }
    return sent.hash
  }

  function receiptOf(hash: unknown) {
    const found = mined.find((one) => one.hash === hash)
    if (found === undefined || unseen.has(found.hash) || seenBefore?.includes(found) === false) return null
    if (unlearnt.has(found.hash)) return null
    const receipt = { ...blocks.receiptParts(found), logs: [] }
    return { userOpHash: found.hash, sender: found.operation.sender, success: true, logs: [], receipt }
  }

  function answer({ method, params }: z.infer<typeof Call>): unknown {
    const [first] = params
    switch (method) {
      case 'eth_getBlockByNumber':
        return blocks.at(first)
      case 'eth_getLogs':
        return blocks.logs(first, (sent) => seenBefore?.includes(sent) !== false)
      case 'eth_getTransactionReceipt':
        return blocks.receipt(first)
      case 'eth_call': {
        const { to, data } = EntryPointCall.parse(first)
        // Other contracts say zero, such as a token's allowance.
        if (to !== safeContracts.entryPoint) return pad('0x0')
        const { functionName, args } = decodeFunctionData({ abi, data })
        return pad(numberToHex(functionName === 'getNonce' ? nextOf(args[1]) : 0n))
      }
      case 'eth_sendUserOperation':
        return broadcast(first)
      case 'eth_getUserOperationReceipt':
        return receiptOf(first)
      case 'eth_getUserOperationByHash': {
        const known = (seenBefore ?? mined).filter(({ hash }) => !unlearnt.has(hash))
        const found = [...waiting, ...bundled, ...known].find(({ hash }) => hash === first)
        return found === undefined ? null : { userOperation: { sender: found.operation.sender } }
      }
      default:
        if (!(method in always)) throw new Error(method)
        return always[method]
    }
  }

  function respond(call: z.infer<typeof Call>) {
    const { id } = call
    try {
      return { jsonrpc: '2.0', id, result: answer(call) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { jsonrpc: '2.0', id, error: { code: -32_602, message: error.message } }
    }
  }

  const network: typeof fetch = async (url, init) => {
    const body: unknown = JSON.parse(String(init?.body))
    // A bundler takes no batch, as at the gateway.
    if (String(url).includes('/v1/bundler')) return Response.json(respond(Call.parse(body)))
    const calls = Calls.parse(body)
    return Response.json(Array.isArray(calls) ? calls.map(respond) : respond(calls))
  }

  return {
    fetch: network,
    onAbort(abort: () => void) {
      cut = abort
    },
    decide(next: BundlerFate | null) {
      fate = next
    },
    /** The bundler has receipts a block later. */
    lag(next: boolean) {
      isLate = next
    },
    /** Mines a block that the bundler, and the nodes that tell nonces, see only after the next one. */
    mineUnseen() {
      const before = [...mined]
      this.mine()
      seenBefore = before
    },
    /** No node or bundler lags any more. */
    catchUp() {
      seenBefore = null
      unseen = new Set()
    },
    /** What waits is sent to the chain: it may be included although it is replaced. */
    bundle() {
      bundled = [...bundled, ...waiting]
    },
    /** The bundler never learns what the next block has. */
    blind() {
      isBlind = true
    },
    price: blocks.price,
    limitLogs: blocks.limitLogs,
    logCalls: blocks.logCalls,
    broadcasts: () => broadcasts,
    /** The bundler drops what waits, not what it has sent. */
    forget() {
      waiting = []
    },
    mine() {
      this.catchUp()
      const block: Sent[] = []
      for (const sent of [...bundled, ...waiting]) {
        const { nonce, validUntil } = sent.operation
        if (nonce !== nextOf(laneOf(nonce)) || now() > validUntil) continue
        mined.push(sent)
        block.push(sent)
        if (isLate) unseen.add(sent.hash)
        if (isBlind) unlearnt.add(sent.hash)
      }
      blocks.add(block)
      isBlind = false
      const isOpen = ({ operation: { nonce, validUntil } }: Sent) =>
        nonce >= nextOf(laneOf(nonce)) && now() <= validUntil
      waiting = waiting.filter(isOpen)
      bundled = bundled.filter(isOpen)
    },
    /** The last block is not of the chain any more; the bundler forgets what it had. */
    reorganise() {
      const back = blocks.removeLast()
      mined.splice(mined.length - back.length)
    },
    mined: (): readonly Sent[] => mined,
  }
}
