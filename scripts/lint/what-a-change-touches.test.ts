/**
 * The files that a new view, host action or link method touches, besides tests: with all of them the types hold;
 * without any one of them they do not, so no list of views, actions or methods stands elsewhere.
 */
import { afterAll, expect, it, vi } from 'vitest'
import { type Change, copySource } from './source-copy'

// Each test compiles several workspaces.
vi.setConfig({ testTimeout: 180_000 })

const host = 'apps/modal-host/src'
const copy = copySource(`.postern/what-a-change-touches-${process.pid}`, {
  'modal-host': 'apps/modal-host',
  ui: 'packages/ui',
  protocol: 'packages/protocol',
  link: 'packages/link',
  client: 'packages/client-sdk',
})
afterAll(() => copy.remove())

/** By the name that TypeScript's errors then mention. */
const changes: Readonly<Record<string, Change>> = {
  // A view: its folder, a row and its English title.
  ProbeView: {
    [`${host}/views/ProbeView/ProbeView.tsx`]: () => `
      import { useText } from '@postern/ui/locales/text'
      import { useNavigation } from '../../view-kit/navigation'

      export default function ProbeView() {
        const t = useText()
        const { push } = useNavigation()
        return <button type="button" onClick={() => push('ProbeView')}>{t('title.ProbeView')}</button>
      }`,
    [`${host}/views/registry.ts`]: addAfter(
      "export const views: Readonly<Record<Exclude<View, 'Connect'>, ViewRow>> = {",
      "ProbeView: { load: () => import('./ProbeView/ProbeView') },",
    ),
    'packages/ui/src/locales/en.json': addAfter('"close": "Close",', '"title.ProbeView": "Probe",'),
  },
  // A host action: its contract and its implementation.
  probeAction: {
    [`${host}/snapshot/actions.ts`]: addAfter('export type ModalActions = {', 'probeAction(text: string): void'),
    [`${host}/host/modal-actions.ts`]: addAfter('  return {', 'probeAction: (text) => modal.notify(text),'),
  },
  // A link method: its parameters, its result, the SDK's timeout and its handler.
  probeMethod: {
    'packages/protocol/src/page-link/from-page.ts': addAfter('export const hostParams = {', 'probeMethod: Nothing,'),
    'packages/protocol/src/page-link/from-host.ts': addAfter(
      'export const hostMethods = {',
      'probeMethod: { params: hostParams.probeMethod, result: Nothing, timeout: 10_000 },',
    ),
    'packages/client-sdk/src/link/link.ts': addAfter('Record<HostMethod, number>> = {', 'probeMethod: 10_000,'),
    [`${host}/host/page-handlers.ts`]: addAfter('  return {', 'probeMethod: () => null,'),
  },
}

it('compiles with all of their files', () => {
  expect(copy.errorsAfter(Object.assign({}, ...Object.values(changes)))).toEqual([])
})

/** One file less of each change at a time: a check of the types takes seconds. */
const rounds = [0, 1, 2, 3].map((index) =>
  Object.entries(changes).flatMap(([name, change]) =>
    Object.keys(change)
      .slice(index, index + 1)
      .map((file) => ({ name, file })),
  ),
)
it.each(rounds.map((missing) => [missing.map(({ file }) => file).join(', '), missing] as const))(
  'does not compile without %s',
  (_, missing) => {
    const all: Change = Object.assign({}, ...Object.values(changes))
    const files = Object.entries(all).filter(([name]) => !missing.some(({ file }) => file === name))
    const errors = copy.errorsAfter(Object.fromEntries(files))
    expect(missing.filter(({ name }) => !errors.some((error) => new RegExp(`\\b${name}\\b`).test(error)))).toEqual([])
  },
)

/** Adds a line after a place that occurs once. */
function addAfter(place: string, line: string): Change[string] {
  return (source) => {
    const [before, rest, ...more] = source.split(place)
    if (rest === undefined || more.length > 0) throw new Error(`Expected once: ${place}`)
    return `${before}${place}\n${line}${rest}`
  }
}
