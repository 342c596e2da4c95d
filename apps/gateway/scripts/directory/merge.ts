import { fold } from '../../src/site/directory/search'
import { isStore, type LinkName, linkNames, type SourceEntry } from './source-entry'

export type Merged = Omit<SourceEntry, 'source' | 'id'> & { readonly id: string; readonly sources: readonly string[] }

/**
 * 1. Entries are the same wallet if they share a reverse domain name, a Chrome extension, an Android package, or a name
 *    without words such as "wallet".
 * 2. The first source that gives a field wins; namespaces, injected flags and pictures are combined.
 * 3. RainbowKit's pictures come first: the registry draws its operator's badge into some.
 * 4. Within one source, only an equal name merges entries, and no two records share a name: no wallet can pass for
 *    another.
 */
export function mergeEntries(entries: readonly SourceEntry[]): Merged[] {
  const groups: { entries: SourceEntry[]; keys: Set<string> }[] = []
  for (const entry of entries) {
    const keys = keysOf(entry)
    const group = groups.find(
      (candidate) =>
        (candidate.keys.has(nameKey(entry.name)) || candidate.entries.every(({ source }) => source !== entry.source)) &&
        keys.some((key) => candidate.keys.has(key)),
    )
    if (group === undefined) groups.push({ entries: [entry], keys: new Set(keys) })
    else {
      group.entries.push(entry)
      for (const key of keys) group.keys.add(key)
    }
  }
  return groups.flatMap((group) => mergeGroup(group.entries) ?? [])
}

function mergeGroup(entries: readonly SourceEntry[]): Merged | undefined {
  const [first] = entries
  if (first === undefined) return undefined
  const rdns = entries.map((entry) => entry.rdns).find((value) => value !== undefined && isReverseDomain(value))
  const homepage = entries.map((entry) => cleanHomepage(entry.homepage)).find((value) => value !== undefined)
  const id = first.id ?? rdns ?? (homepage === undefined ? undefined : reverseHost(homepage))
  if (id === undefined) return undefined
  const links: Partial<Record<LinkName, string>> = {}
  for (const name of linkNames) {
    const link = entries.map((entry) => entry.links[name]).find((value) => value !== undefined)
    if (link !== undefined) links[name] = link
  }
  return {
    id,
    name: first.name,
    ...(homepage === undefined ? {} : { homepage }),
    ...(rdns === undefined ? {} : { rdns }),
    namespaces: [...new Set(entries.flatMap((entry) => entry.namespaces))],
    links,
    injected: [...new Set(entries.flatMap((entry) => entry.injected))],
    icons: [...entries.filter(isRainbowKit), ...entries.filter((entry) => !isRainbowKit(entry))].flatMap(
      (entry) => entry.icons,
    ),
    sources: [...new Set(entries.map((entry) => entry.source))],
  }
}

function isRainbowKit(entry: SourceEntry): boolean {
  return entry.source === 'rainbowkit'
}

function keysOf(entry: SourceEntry): string[] {
  const extension = /\/([a-p]{32})(?:$|[/?#])/.exec(entry.links.chrome_store ?? '')?.[1]
  const android = /[?&]id=([\w.]+)/.exec(entry.links.play_store ?? '')?.[1]
  return [
    nameKey(entry.name),
    ...(entry.rdns === undefined ? [] : [`rdns ${entry.rdns}`]),
    ...(entry.id === undefined ? [] : [`rdns ${entry.id}`]),
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
