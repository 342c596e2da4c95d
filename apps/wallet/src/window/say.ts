/** The wallet's origin shares no code with the modal. One file per language in `text/`. */
import english from './text/en.json'

export type TextKey = keyof typeof english
export type Catalogue = Readonly<Partial<Record<TextKey, string>>>
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

export function speak(catalogue: Catalogue = english): Say {
  return (key, values = {}) =>
    (catalogue[key] ?? english[key]).replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : whole,
    )
}
