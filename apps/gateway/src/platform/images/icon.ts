import { createHash } from 'node:crypto'
import { isTooLarge } from './raster-size'
import { sanitizeSvg } from './svg'

export const iconTypes = {
  'image/svg+xml': 'svg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
} as const
export type IconType = keyof typeof iconTypes

export type Icon = {
  readonly type: IconType
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly hash: string
}

export const maxIconBytes = 64 * 1024

export function readIcon(bytes: Uint8Array): Icon | undefined {
  if (bytes.byteLength === 0 || bytes.byteLength > maxIconBytes) return undefined
  const raster = rasterType(bytes)
  if (raster !== undefined) return isTooLarge(bytes) ? undefined : icon(raster, bytes)
  const svg = sanitizeSvg(new TextDecoder().decode(bytes))
  return svg === undefined ? undefined : icon('image/svg+xml', new TextEncoder().encode(svg))
}

function icon(type: IconType, bytes: Uint8Array): Icon {
  return { type, bytes: new Uint8Array(bytes), hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32) }
}

/** By signature: PNG §5.2, RIFF/WebP, JPEG SOI. */
function rasterType(bytes: Uint8Array): IconType | undefined {
  const starts = (signature: readonly number[], at = 0) => signature.every((byte, i) => bytes[at + i] === byte)
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (starts([0x52, 0x49, 0x46, 0x46]) && starts([0x57, 0x45, 0x42, 0x50], 8)) return 'image/webp'
  if (starts([0xff, 0xd8, 0xff])) return 'image/jpeg'
  return undefined
}
