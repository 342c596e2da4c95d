const pictures: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['iconUrl', ''],
  ['logoUri', null],
  ['avatar', null],
  ['icon', null],
  ['preview', null],
  ['detail', null],
])
const harmless = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/** A remote picture's server would see the visitor. */
export function withoutPictures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPictures)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (!pictures.has(key) || isHarmless(member)) return [key, withoutPictures(member)]
      return [key, pictures.get(key)]
    }),
  )
}

function isHarmless(member: unknown): boolean {
  if (typeof member === 'object' && member !== null && 'url' in member) return isHarmless(member.url)
  return typeof member === 'string' && harmless.test(member)
}
