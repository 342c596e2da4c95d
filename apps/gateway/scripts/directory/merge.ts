import { fold } from '../../src/directory/search'
import { type Found, isStore, type KnownNamespace, type LinkName, linkNames } from './found'

export type Merged = {
  readonly id: string
  readonly name: string
  readonly homepage?: string
  readonly rdns?: string
  readonly namespaces: readonly KnownNamespace[]
  readonly links: Partial<Record<LinkName, string>>
  readonly injected: readonly string[]
  readonly icons: readonly Uint8Array[]
  readonly sources: readonly string[]
}

/**
 * 1. Two entries are the same wallet if they share a reverse domain name, a Chrome extension, an Android package, or a
 *    name without words such as "wallet".
 * 2. The first source that gives a field wins; namespaces, injected flags and pictures are combined.
 * 3. RainbowKit's pictures come first, because the registry draws its operator's badge into some pictures.
 * 4. Within one source, only an equal name merges entries, and no two records share a name, so that no wallet can pass
 *    for another.
 */
export function mergeFound(founds: readonly Found[]): Merged[] {
  const groups: { founds: Found[]; keys: Set<string> }[] = []
  for (const found of founds) {
    const keys = keysOf(found)
    const group = groups.find(
      (candidate) =>
        (candidate.keys.has(nameKey(found.name)) || candidate.founds.every(({ source }) => source !== found.source)) &&
        keys.some((key) => candidate.keys.has(key)),
    )
    if (group === undefined) groups.push({ founds: [found], keys: new Set(keys) })
    else {
      group.founds.push(found)
      for (const key of keys) group.keys.add(key)
    }
  }
  return groups.flatMap((group) => mergeGroup(group.founds) ?? [])
}

function mergeGroup(founds: readonly Found[]): Merged | undefined {
  const [first] = founds
  if (first === undefined) return undefined
  const rdns = founds.map((found) => found.rdns).find((value) => value !== undefined && isReverseDomain(value))
  const homepage = founds.map((found) => cleanHomepage(found.homepage)).find((value) => value !== undefined)
  const id = first.id ?? rdns ?? (homepage === undefined ? undefined : reverseHost(homepage))
  if (id === undefined) return undefined
  const links: Partial<Record<LinkName, string>> = {}
  for (const name of linkNames) {
    const link = founds.map((found) => found.links[name]).find((value) => value !== undefined)
    if (link !== undefined) links[name] = link
  }
  return {
    id,
    name: first.name,
    ...(homepage === undefined ? {} : { homepage }),
    ...(rdns === undefined ? {} : { rdns }),
    namespaces: [...new Set(founds.flatMap((found) => found.namespaces))],
    links,
    injected: [...new Set(founds.flatMap((found) => found.injected))],
    icons: [...founds.filter(isRainbowKit), ...founds.filter((found) => !isRainbowKit(found))].flatMap(
      (found) => found.icons,
    ),
    sources: [...new Set(founds.map((found) => found.source))],
  }
}

function isRainbowKit(found: Found): boolean {
  return found.source === 'rainbowkit'
}

function keysOf(found: Found): string[] {
  const extension = /\/([a-p]{32})(?:$|[/?#])/.exec(found.links.chrome_store ?? '')?.[1]
  const android = /[?&]id=([\w.]+)/.exec(found.links.play_store ?? '')?.[1]
  return [
    nameKey(found.name),
    ...(found.rdns === undefined ? [] : [`rdns ${found.rdns}`]),
    ...(found.id === undefined ? [] : [`rdns ${found.id}`]),
    ...(extension === undefined ? [] : [`extension ${extension}`]),
    ...(android === undefined ? [] : [`android ${android}`]),
  ]
}

/** "Rabby Wallet" and "Rabby" are the same name. */
export function nameKey(name: string): string {
  const bare = fold(name.replace(/\(.*\)/, ' ')).replace(/\b(the|wallet|app|extension)\b/g, '')
  return `name ${bare.replace(/[^\p{L}\p{N}]/gu, '') || fold(name)}`
}

function isReverseDomain(value: string): boolean {
  return /^[a-z][a-z0-9-]*(\.[A-Za-z0-9_-]+)+$/.test(value)
}

function cleanHomepage(value: string | undefined): string | undefined {
  if (value === undefined || !/^https:\/\/[^\s]+$/.test(value) || !URL.canParse(value)) return undefined
  // A store page has its own field.
  return isStore(value) ? undefined : value
}

function reverseHost(url: string): string {
  return new URL(url).hostname
    .split('.')
    .filter((label) => label !== 'www')
    .reverse()
    .join('.')
}
