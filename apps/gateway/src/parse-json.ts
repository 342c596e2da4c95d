/** Undefined where it is not JSON, which no schema takes for what it wants. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
