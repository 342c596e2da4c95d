/**
 * What a collectible's contract says of it (ERC-721 and ERC-1155 metadata): in a `data:` URL, or elsewhere by the rules of `remote/`.
 *
 * 1. It is JSON of at most 1 MB; anything in it that is not what its place is for counts as absent.
 * 2. Texts are single harmless lines; of attributes the first 50 are taken, and no more than 200 are looked at: a megabyte holds half a million.
 * 3. A picture that the metadata holds itself is one of the kinds that the directory takes, at most 64 kB, known by its bytes; an SVG is one that only draws. One
 *    elsewhere is only named here: it is fetched when somebody looks at it.
 * 4. `{id}` in an address is the token's number in 64 hexadecimal digits (ERC-1155).
 */
import * as z from 'zod/mini'
import { type Icon, readIcon } from '../../directory/icon'
import { parseJson } from '../../parse-json'
import { plainText } from '../plain-text'
import type { Remote } from '../remote/remote'

export type Metadata = {
  readonly name: string | null
  readonly description: string | null
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  readonly picture: Icon | null
  /** Where the picture is, where the metadata does not hold it. */
  readonly pictureUri: string | null
}

export const noMetadata: Metadata = { name: null, description: null, attributes: [], picture: null, pictureUri: null }

const longest = 1_048_576
const mostAttributes = 50
const mostLookedAt = 200
/** Longer ones are fetched from nowhere (`remote/`), and many are kept. */
const longestPictureUri = 2_048
const Text = z.catch(z.nullish(z.string()), null)
const Attribute = z.object({ trait_type: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) })
const Json = z.object({
  name: Text,
  description: Text,
  image: Text,
  image_url: Text,
  attributes: z.catch(
    z.custom<readonly unknown[]>((value) => Array.isArray(value)),
    [],
  ),
})

/** Where it says that it is. */
export async function fetchMetadata(uri: string, tokenId: bigint, remote: Remote): Promise<Metadata> {
  if (uri.startsWith('data:')) return readMetadata(uri)
  const text = await remote.text(uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0')))
  return text === null ? noMetadata : metadataIn(text)
}

/** In a `data:` URL; none of any other. */
export function readMetadata(uri: string): Metadata {
  const data = readDataUrl(uri)
  if (data === null || !/^application\/json\b/i.test(data.type)) return noMetadata
  return metadataIn(Buffer.from(data.bytes).toString('utf8'))
}

function metadataIn(text: string): Metadata {
  const parsed = text.length > longest ? null : Json.safeParse(parseJson(text))
  if (!parsed?.success) return noMetadata
  const { name, description, image, image_url, attributes } = parsed.data
  const source = image ?? image_url ?? ''
  const picture = readDataUrl(source)
  return {
    name: lineOf(name, 100),
    description: lineOf(description, 500),
    attributes: attributes
      .slice(0, mostLookedAt)
      .flatMap((attribute) => Attribute.safeParse(attribute).data ?? [])
      .slice(0, mostAttributes)
      .map(({ trait_type, value }) => ({ name: plainText(trait_type, 64), value: plainText(`${value}`, 128) })),
    picture: picture === null || !picture.type.startsWith('image/') ? null : (readIcon(picture.bytes) ?? null),
    pictureUri: source.length <= longestPictureUri && /^(?:https|ipfs):/.test(source) ? source : null,
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
