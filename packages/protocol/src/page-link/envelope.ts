import * as z from 'zod/mini'

/** Id of a request or a page wallet. */
export const Id = z.string().check(z.minLength(1), z.maxLength(64))

/** `code`: key of `errors`. `rpc`: EIP-1193 or JSON-RPC code. `fix`: what to do. */
export const LinkError = z.strictObject({
  code: z.string().check(z.minLength(1), z.maxLength(64)),
  message: z.string(),
  rpc: z.optional(z.int()),
  data: z.optional(z.unknown()),
  fix: z.optional(z.string().check(z.maxLength(512))),
})
export type LinkError = z.infer<typeof LinkError>

/** Sent after `welcome`. A request settles once: result, error, cancel or link end. */
export const Envelope = z.discriminatedUnion('kind', [
  z.strictObject({
    v: z.literal(1),
    id: Id,
    kind: z.literal('request'),
    method: z.string().check(z.maxLength(64)),
    params: z.optional(z.unknown()),
  }),
  z.strictObject({ v: z.literal(1), id: Id, kind: z.literal('result'), result: z.optional(z.unknown()) }),
  z.strictObject({ v: z.literal(1), id: Id, kind: z.literal('error'), error: LinkError }),
  z.strictObject({ v: z.literal(1), id: Id, kind: z.literal('cancel') }),
  z.strictObject({
    v: z.literal(1),
    id: Id,
    kind: z.literal('event'),
    event: z.string().check(z.maxLength(64)),
    data: z.optional(z.unknown()),
  }),
])
export type Envelope = z.infer<typeof Envelope>
