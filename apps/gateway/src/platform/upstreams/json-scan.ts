/**
 * Follows the structure of a JSON value while its bytes arrive.
 *
 * 1. It finds the value's end: the last bracket or quote, or the separator after a number or name. Invalid text fails
 *    at the reader's parser.
 * 2. It counts values and depth, which decide the time of `JSON.parse`: 10 MB of empty arrays take a hundred times as
 *    long as 10 MB of text.
 */
export type JsonScan = {
  /** Index after the value's last byte, or `bytes.length` if it goes on. */
  push(bytes: Uint8Array, from?: number): number
  isEnded(): boolean
  /** Too many values, or too deep, to parse between two requests. */
  isCostly(): boolean
}

/** About 0.2 s of `JSON.parse` at worst. */
const maxValues = 150_000
const maxDepth = 256

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openArray = 0x5b
const closeArray = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

export function createJsonScan(): JsonScan {
  let depth = 0
  let values = 0
  let isDeep = false
  let isInText = false
  let isEscaped = false
  let isEnded = false
  const endAt = (index: number) => {
    isEnded = true
    return index
  }

  return {
    isEnded: () => isEnded,
    isCostly: () => isDeep || values > maxValues,
    push(bytes, from = 0) {
      if (isEnded) return from
      for (let index = from; index < bytes.length; index += 1) {
        const byte = bytes[index]
        if (isInText) {
          if (isEscaped) isEscaped = false
          else if (byte === backslash) isEscaped = true
          else if (byte === quote) {
            isInText = false
            if (depth === 0) return endAt(index + 1)
          }
        } else if (byte === quote) isInText = true
        else if (byte === comma) {
          if (depth === 0) return endAt(index)
          values += 1
        } else if (byte === openArray || byte === openObject) {
          depth += 1
          values += 1
          if (depth > maxDepth) isDeep = true
        } else if (byte === closeArray || byte === closeObject) {
          if (depth === 0) return endAt(index)
          depth -= 1
          if (depth === 0) return endAt(index + 1)
        }
      }
      return bytes.length
    },
  }
}

/** Where member `name` begins in the object in `bytes`. Null if missing, or after a non-null member `unless`. */
export function findMember(bytes: Uint8Array, name: string, unless: string): number | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const skipSpace = (from: number) => {
    let index = from
    while (index < text.length && ' \t\r\n'.includes(String.fromCharCode(text[index] ?? 0))) index += 1
    return index
  }
  let at = skipSpace(0)
  if (text[at] !== openObject) return null
  do {
    at = skipSpace(at + 1)
    const end = text.indexOf(quote, at + 1)
    if (text[at] !== quote || end === -1) return null
    const key = text.toString('utf8', at + 1, end)
    const colon = skipSpace(end + 1)
    if (String.fromCharCode(text[colon] ?? 0) !== ':') return null
    const value = skipSpace(colon + 1)
    if (key === name) return value < text.length ? value : null
    const scan = createJsonScan()
    at = skipSpace(scan.push(text, value))
    if (key === unless && text.toString('utf8', value, at).trim() !== 'null') return null
  } while (text[at] === comma)
  return null
}
