/**
 * Metadata of an NFT (ERC-721 and ERC-1155): in a `data:` URL, or remote by the rules of `remote/`.
 *
 * 1. It is JSON of at most 1 MB; an invalid field counts as absent.
 * 2. Text is sanitised lines. At most 200 attributes are read: a megabyte can hold half a million.
 * 3. An embedded picture has at most 64 kB and a type that the directory allows, by its bytes; an SVG may only draw. A
 *    remote picture is fetched when the user views it.
 * 4. `{id}` in a URI is the token id in 64 hexadecimal digits (ERC-1155).
 */
import * as z from 'zod/mini'
import { type Icon, readIcon } from '../../../platform/images/icon'
import { parseJson } from '../../../platform/parse-json'
import { plainText } from '../plain-text'
import type { Remote } from '../remote/remote'

export type Metadata = {
  readonly name: string | null
  readonly description: string | null
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  readonly picture: Icon | null
  readonly pictureUri: string | null
}

export const noMetadata: Metadata = { name: null, description: null, attributes: [], picture: null, pictureUri: null }

const maxMetadataLength = 1_048_576
const maxAttributes = 50
const maxAttributesRead = 200
const maxPictureUriLength = 2_048
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

export async function fetchMetadata(uri: string, tokenId: bigint, remote: Remote): Promise<Metadata> {
  if (uri.startsWith('data:')) return readMetadata(uri)
  const text = await remote.text(uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0')))
  return text === null ? noMetadata : metadataIn(text)
}

/** Empty for any URI but a `data:` URL. */
export function readMetadata(uri: string): Metadata {
  const data = readDataUrl(uri)
  if (data === null || !/^application\/json\b/i.test(data.type)) return noMetadata
  return metadataIn(Buffer.from(data.bytes).toString('utf8'))
}

function metadataIn(text: string): Metadata {
  const parsed = text.length > maxMetadataLength ? null : Json.safeParse(parseJson(text))
  if (!parsed?.success) return noMetadata
  const { name, description, image, image_url, attributes } = parsed.data
  const source = image ?? image_url ?? ''
  const picture = readDataUrl(source)
  return {
    name: lineOf(name, 100),
    description: lineOf(description, 500),
    attributes: attributes
      .slice(0, maxAttributesRead)
      .flatMap((attribute) => Attribute.safeParse(attribute).data ?? [])
      .slice(0, maxAttributes)
      .map(({ trait_type, value }) => ({ name: plainText(trait_type, 64), value: plainText(`${value}`, 128) })),
    picture: picture === null || !picture.type.startsWith('image/') ? null : (readIcon(picture.bytes) ?? null),
    pictureUri: source.length <= maxPictureUriLength && /^(?:https|ipfs):/.test(source) ? source : null,
  }
}

function lineOf(text: string | null | undefined, maxLength: number): string | null {
  return text == null ? null : plainText(text, maxLength) || null
}

/** RFC 2397. */
function readDataUrl(url: string): { readonly type: string; readonly bytes: Uint8Array } | null {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma < 0 || url.length > maxMetadataLength) return null
  const type = url.slice(5, comma).toLowerCase()
  const rest = url.slice(comma + 1)
  if (type.endsWith(';base64')) return { type, bytes: Buffer.from(rest, 'base64') }
  try {
    return { type, bytes: Buffer.from(decodeURIComponent(rest)) }
  } catch {
    // Not percent-encoded; many contracts omit it.
    return { type, bytes: Buffer.from(rest) }
  }
}
