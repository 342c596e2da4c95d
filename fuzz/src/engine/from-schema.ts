/** Values that fit a schema of the protocol, so that a new method or field is fuzzed without a line here. */
import fc from 'fast-check'
import * as z from 'zod/mini'

/** The part of JSON Schema that zod writes. */
type Shape = z.infer<typeof Shape>
const Shape = z.looseObject({
  $ref: z.optional(z.string()),
  $defs: z.optional(z.record(z.string(), z.unknown())),
  type: z.optional(z.string()),
  const: z.optional(z.unknown()),
  enum: z.optional(z.array(z.unknown())),
  anyOf: z.optional(z.array(z.unknown())),
  oneOf: z.optional(z.array(z.unknown())),
  pattern: z.optional(z.string()),
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  items: z.optional(z.unknown()),
  prefixItems: z.optional(z.array(z.unknown())),
  minItems: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.unknown()),
})

/** Values of any kind that a port carries. */
export const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
})

/** Checks that JSON Schema cannot say are left to chance. */
export function fitting(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  const root = Shape.parse(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
  return arbitraryOf(root, root.$defs ?? {}, 0)
}

const maxDepth = 6
const maxItems = 4
const maxText = 48

function arbitraryOf(
  given: unknown,
  definitions: Readonly<Record<string, unknown>>,
  depth: number,
): fc.Arbitrary<unknown> {
  const shape = Shape.safeParse(given).data ?? {}
  const inner = (next: unknown) => arbitraryOf(next, definitions, depth + 1)
  if (depth > maxDepth) return fc.constant(null)
  if (shape.$ref !== undefined) return inner(definitions[shape.$ref.split('/').at(-1) ?? ''])
  if ('const' in shape) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  const branches = shape.anyOf ?? shape.oneOf
  if (branches !== undefined) return fc.oneof(...branches.map(inner))
  switch (shape.type) {
    case 'string':
      return text(shape)
    case 'integer':
      return fc.integer({ min: shape.minimum ?? -5, max: Math.min(shape.maximum ?? 2 ** 31, 2 ** 31) })
    case 'number':
      return fc.double({ min: shape.minimum ?? -1e9, max: shape.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return shape.prefixItems === undefined
        ? fc.array(inner(shape.items), {
            minLength: shape.minItems ?? 0,
            maxLength: shape.maxItems ?? maxItems,
            size: 'xsmall',
          })
        : fc.tuple(...shape.prefixItems.map(inner))
    case 'object':
      return object(shape, inner)
    default:
      return anything
  }
}

function object(shape: Shape, inner: (next: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const named = Object.entries(shape.properties ?? {}).map(([key, value]) => [key, inner(value)] as const)
  if (named.length > 0) return fc.record(Object.fromEntries(named), { requiredKeys: shape.required ?? [] })
  return fc.dictionary(fc.string({ maxLength: 8 }), inner(shape.additionalProperties), { maxKeys: 3 })
}

const known = [
  'demo',
  'ethereum',
  'base',
  'eip155:1',
  'eip155:8453',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'bip122:000000000019d6689c085ae165831e93',
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  'https://app.example.com',
  'alice@example.com',
  'personal_sign',
  'eth_sendTransaction',
  'eth_signTypedData_v4',
  'eth_chainId',
  'eth_accounts',
  'eth_requestAccounts',
  'eth_blockNumber',
  'wallet_getAssets',
  'wallet_getCapabilities',
  'wallet_sendCalls',
  'wallet_getCallsStatus',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
  'bip122_signMessage',
  'bip122_signPsbt',
  'bip122_sendTransfer',
]

/** Any character. Not fast-check's unit `binary`, which first lists all of them. */
const character = fc.integer({ min: 0, max: 0x10_ffff - 0x800 }).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (value) => {
    const point = typeof value === 'string' ? (value.codePointAt(0) ?? 0) : 0
    return point < 0xd800 ? point : point - 0x800
  },
)

function text({ pattern, minLength = 0, maxLength = maxText }: Shape): fc.Arbitrary<string> {
  const free = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, maxText)) })
  if (pattern === undefined)
    return fc.oneof(fc.constantFrom(...known), free, fc.string({ unit: character, maxLength: 12 }))
  try {
    const shape = new RegExp(pattern)
    const matching = fc.stringMatching(shape, { size: 'small' })
    const right = known.filter((value) => shape.test(value))
    return right.length === 0 ? matching : fc.oneof(fc.constantFrom(...right), matching)
  } catch {
    // A pattern that fast-check cannot write.
    return free
  }
}
