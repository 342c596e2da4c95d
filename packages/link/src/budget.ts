/** Characters of strings and keys plus bytes of buffers. An init with 64 icons fits. */
const maxWeight = 8_388_608
const maxValues = 100_000

/** Cycles count once; nesting cannot overflow the stack. */
export function isWithinBudget(value: unknown): boolean {
  const seen = new Set<object>()
  const stack: unknown[] = [value]
  let weight = 0
  let values = 0
  while (stack.length > 0) {
    const next = stack.pop()
    values += 1
    if (typeof next === 'string') weight += next.length
    else if (typeof next === 'bigint') weight += 32
    else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next)
      if (ArrayBuffer.isView(next) || next instanceof ArrayBuffer) weight += next.byteLength
      else {
        const entries = Object.entries(next)
        // A schema also walks the holes of a sparse array.
        if (Array.isArray(next)) values += Math.max(0, next.length - entries.length)
        for (const [key, inner] of entries) {
          weight += key.length
          stack.push(inner)
        }
      }
    }
    if (weight > maxWeight || values + stack.length > maxValues) return false
  }
  return true
}
