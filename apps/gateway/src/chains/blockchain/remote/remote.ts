/**
 * Untrusted metadata and pictures, from https, and from IPFS through the configured gateway.
 *
 * 1. A failed fetch returns nothing; the rest still shows.
 * 2. A picture is PNG, JPEG, GIF or WebP by its bytes, at most 4 MB and 25 million pixels. A remote SVG is rejected: it
 *    may run scripts.
 * 3. Metadata is at most 1 MB of JSON, perhaps declared as plain text.
 * 4. The newest pictures are cached.
 */
import { isTooLarge } from '../../../platform/images/raster-size'
import type { Log } from '../../../platform/log/log'
import { createTtlCache } from '../ttl-cache'
import { type PublicFetch, RemoteError, type Wanted } from './public-fetch'

export type RasterType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
export type Raster = { readonly type: RasterType; readonly bytes: Uint8Array<ArrayBuffer> }

export type Remote = {
  isWithinReach(uri: string): boolean
  text(uri: string): Promise<string | null>
  picture(uri: string): Promise<Raster | null>
}

export type RemoteOptions = {
  readonly fetchPublic: PublicFetch
  /** IPFS gateway without a trailing slash. */
  readonly ipfs: string | null
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

const descriptions: Wanted = {
  type: /^(?:application\/(?:[\w.+-]*json|octet-stream)|text\/(?:plain|json))$/,
  maxBytes: 1_048_576,
}
const pictures: Wanted = { type: /^(?:image\/(?:png|jpe?g|gif|webp)|application\/octet-stream)$/, maxBytes: 4_194_304 }
const maxUriLength = 2_048
const pictureLifetimeMs = 300_000
const maxPictures = 16
/** Includes the variant `ipfs://ipfs/<cid>/<path>`. */
const Ipfs = /^ipfs:\/\/(?:ipfs\/)?([A-Za-z0-9]{46,128})((?:\/[^?#]*)?)$/

export function createRemote({ fetchPublic, ipfs, log, now }: RemoteOptions): Remote {
  const cache = createTtlCache<Raster | null>(pictureLifetimeMs, maxPictures, now)

  async function read(uri: string, wanted: Wanted): Promise<Uint8Array<ArrayBuffer> | null> {
    const url = locate(uri, ipfs)
    if (url === null) return null
    try {
      return await fetchPublic(url, wanted)
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      // No URL: it is untrusted, and shows what the user views.
      log.warn({ reason: error.message }, 'nothing fetched from elsewhere')
      return null
    }
  }

  return {
    isWithinReach: (uri) => locate(uri, ipfs) !== null,
    async text(uri) {
      const bytes = await read(uri, descriptions)
      return bytes === null ? null : Buffer.from(bytes).toString('utf8')
    },
    picture: (uri) =>
      cache.get(uri, async () => {
        const bytes = await read(uri, pictures)
        const type = bytes === null ? null : rasterType(bytes)
        return bytes === null || type === null || isTooLarge(bytes) ? null : { type, bytes }
      }),
  }
}

export function locate(uri: string, ipfs: string | null): string | null {
  if (uri.length > maxUriLength) return null
  if (uri.startsWith('https://')) return URL.canParse(uri) ? uri : null
  const [, cid, path = ''] = Ipfs.exec(uri) ?? []
  if (ipfs === null || cid === undefined) return null
  const segments = path.split('/').filter((segment) => segment !== '')
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return null
  return [`${ipfs}/ipfs/${cid}`, ...segments.map(encoded)].join('/')
}

function encoded(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return encodeURIComponent(segment)
  }
}

/** By signature: PNG §5.2, JPEG SOI, GIF87a, GIF89a, RIFF/WebP. */
function rasterType(bytes: Uint8Array): RasterType | null {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'image/webp' : null
}
