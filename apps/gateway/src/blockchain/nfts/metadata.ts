/**
 * What a collectible's contract says of it (ERC-721 and ERC-1155 metadata), read where the chain itself holds it: in a `data:` URL. Nobody's server is asked for
 * the rest, which then has its number and its collection alone.
 *
 * 1. It is JSON of at most 1 MB; anything in it that is not what its place is for counts as absent.
 * 2. Texts are single harmless lines; of attributes the first 50 are taken.
 * 3. A picture is one of the kinds that the directory takes, at most 64 kB, known by its bytes; an SVG is one that only draws.
 */
import * as z from 'zod/mini'
import { type Icon, readIcon } from '../../directory/icon'
import { plainText } from '../plain-text'

export type Metadata = {
  readonly name: string | null
  readonly description: string | null
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  readonly picture: Icon | null
}

export const noMetadata: Metadata = { name: null, description: null, attributes: [], picture: null }

const longest = 1_048_576
const mostAttributes = 50
const Text = z.catch(z.nullish(z.string()), null)
const Attribute = z.catch(
  z.nullable(z.object({ trait_type: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) })),
  null,
)
const Json = z.object({ name: Text, description: Text, image: Text, attributes: z.catch(z.array(Attribute), []) })

export function readMetadata(uri: string): Metadata {
  const data = readDataUrl(uri)
  if (data === null || !/^application\/json\b/i.test(data.type)) return noMetadata
  const parsed = Json.safeParse(parseJson(Buffer.from(data.bytes).toString('utf8')))
  if (!parsed.success) return noMetadata
  const { name, description, image, attributes } = parsed.data
  const picture = image == null ? null : readDataUrl(image)
  return {
    name: lineOf(name, 100),
    description: lineOf(description, 500),
    attributes: attributes
      .flatMap((attribute) => attribute ?? [])
      .slice(0, mostAttributes)
      .map(({ trait_type, value }) => ({ name: plainText(trait_type, 64), value: plainText(`${value}`, 128) })),
    picture: picture === null || !picture.type.startsWith('image/') ? null : (readIcon(picture.bytes) ?? null),
  }
}

function lineOf(text: string | null | undefined, most: number): string | null {
  return text == null ? null : plainText(text, most) || null
}

/** Source: RFC 2397. */
function readDataUrl(url: string): { readonly type: string; readonly bytes: Uint8Array } | null {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma < 0 || url.length > longest) return null
  const type = url.slice(5, comma).toLowerCase()
  const rest = url.slice(comma + 1)
  if (type.endsWith(';base64')) return { type, bytes: Buffer.from(rest, 'base64') }
  try {
    return { type, bytes: Buffer.from(decodeURIComponent(rest)) }
  } catch {
    // Written without escapes, as many contracts do.
    return { type, bytes: Buffer.from(rest) }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
