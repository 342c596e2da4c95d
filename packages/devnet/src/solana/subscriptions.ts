/** Source: https://solana.com/docs/rpc/websocket */
import { isAddress, isSignature } from '@solana/kit'
import * as z from 'zod/mini'
import { accountView } from './accounts-view'
import { commitments, type SolanaLedger, toAddress } from './ledger'
import { reaches } from './transactions-view'
import { invalidParams, RpcError, stringify } from './wire'

const Commitment = z.optional(z.enum(commitments))
const SignatureParams = z.tuple([
  z.string().check(z.refine(isSignature)),
  z._default(
    z.nullish(z.object({ commitment: Commitment, enableReceivedNotification: z.optional(z.boolean()) })),
    null,
  ),
])
const AccountParams = z.tuple([
  z.string().check(z.refine(isAddress)),
  z._default(
    z.nullish(z.object({ commitment: Commitment, encoding: z.optional(z.enum(['base58', 'base64', 'jsonParsed'])) })),
    null,
  ),
])
const Unsubscribe = z.tuple([z.int()])

/** An honest page has a handful. */
const maxSubscriptions = 1_000

export type Subscriptions = {
  /** Undefined for any other method. */
  answer(method: string, params: unknown): unknown
  end(): void
}

/**
 * The subscriptions of one connection.
 *
 * 1. A signature is reported once, when it reaches the requested commitment or at once if it has. Its subscription then
 *    ends.
 * 2. An account is reported when it differs from its last state.
 * 3. Every slot is reported.
 */
export function createSubscriptions(ledger: SolanaLedger, send: (text: string) => void): Subscriptions {
  const watches = new Map<number, () => void>()
  let next = 1

  const open = (watch: (id: number) => () => void) => {
    if (watches.size >= maxSubscriptions) throw new RpcError(-32603, 'Too many subscriptions')
    const id = next++
    watches.set(id, watch(id))
    return id
  }
  const notify = (method: string, subscription: number, result: unknown) =>
    send(stringify({ jsonrpc: '2.0', method, params: { result, subscription } }))
  const inContext = (value: unknown) => ({ context: { slot: ledger.slot() }, value })

  const subscribe: { readonly [method: string]: (params: unknown) => number } = {
    signatureSubscribe: (params) => {
      const [signature, config] = read(SignatureParams, params)
      const wanted = config?.commitment ?? 'finalized'
      return open((id) => () => {
        const landed = ledger.landed(signature)
        if (landed === undefined || !reaches(ledger.commitmentOf(landed), wanted)) return
        watches.delete(id)
        notify('signatureNotification', id, inContext({ err: landed.failure }))
      })
    },
    accountSubscribe: (params) => {
      const [address, config] = read(AccountParams, params)
      const view = () => inContext(accountView(ledger.svm, toAddress(address), config?.encoding ?? 'base58'))
      const state = () => stringify(accountView(ledger.svm, toAddress(address), 'base64'))
      let last = state()
      return open((id) => () => {
        const now = state()
        if (now === last) return
        last = now
        notify('accountNotification', id, view())
      })
    },
    slotSubscribe: () => {
      let lastSlot = ledger.slot()
      return open((id) => () => {
        const slot = ledger.slot()
        if (slot === lastSlot) return
        lastSlot = slot
        notify('slotNotification', id, { slot, parent: slot - 1n, root: slot > 32n ? slot - 32n : 0n })
      })
    },
  }

  const stop = ledger.subscribe(() => {
    for (const watch of [...watches.values()]) watch()
  })

  return {
    answer(method, params) {
      if (Object.hasOwn(subscribe, method)) {
        const id = subscribe[method]?.(params)
        // Deferred, so that the client knows the id first.
        if (id !== undefined) setImmediate(() => watches.get(id)?.())
        return id
      }
      if (!/^(signature|account|slot)Unsubscribe$/.test(method)) return undefined
      const [id] = read(Unsubscribe, params)
      if (!watches.delete(id)) throw invalidParams('Invalid subscription id.')
      return true
    },
    end() {
      stop()
      watches.clear()
    },
  }
}

function read<S extends z.core.$ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = z.safeParse(schema, params)
  if (!parsed.success) throw invalidParams(z.prettifyError(parsed.error))
  return parsed.data
}
