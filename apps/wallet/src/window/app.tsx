import { parseUrl } from '@postern/base/parse-url'
import { Status } from '@postern/ui/unseen'
import { lazy, Suspense } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router'
import type { WindowPurpose } from '../window-messages'
import { WatchContext } from './components/armed-button'
import { SubtitleContext } from './components/screen'
import { Working } from './components/waiting'
import { DeleteScreen } from './delete/delete-screen'
import { EmailScreen } from './email/email-screen'
import { ExportScreen } from './export/export-screen'
import type { FlowGiven, WindowTools } from './flow'
import type { FrameLink } from './frame-link'
import { KeepScreen } from './keep/keep-screen'
import { useMachine } from './machine'
import { RecoverScreen } from './recover/recover-screen'
import { SayContext } from './say-context'
import { type SessionGiven, session } from './session'
import { SessionScreen } from './session-screens'
import { UnlockScreen } from './unlock/unlock-screen'

const routes: Readonly<Record<WindowPurpose, string>> = {
  unlock: '/unlock',
  create: '/recover',
  keep: '/keep',
  recovery: '/recover',
  move: '/recover',
  unlockPrevious: '/unlock',
  deletePrevious: '/delete-previous',
  export: '/export',
  approve: '/approve',
  email: '/email',
  deleteAccount: '/delete-account',
}

/** A chunk of its own, which can read requests of every chain. */
const ApproveScreen = lazy(() => import('./approve/approve-screen'))

export type WindowAppProps = Omit<SessionGiven, 'say'> & { readonly tools: WindowTools }

export function WindowApp({ tools, ...given }: WindowAppProps) {
  const { say } = tools
  const [state, actions] = useMachine(session, { ...given, say })
  const flowGiven = (link: FrameLink): FlowGiven => ({
    ...tools,
    link,
    finish: (sentence) => actions.finish(link, sentence),
    cancel: () => actions.leave(link),
    fail: actions.fail,
  })
  return (
    <SayContext value={say}>
      <SubtitleContext value={state.link === null ? '' : subtitleOf(state.link.context.origin, tools)}>
        {state.step === 'open' ? (
          <WatchContext value={tools.watch}>
            <Flows key={state.attempt} given={flowGiven(state.link)} />
          </WatchContext>
        ) : (
          <SessionScreen state={state} actions={actions} />
        )}
        <Status>{state.step === 'done' ? state.sentence : ''}</Status>
      </SubtitleContext>
    </SayContext>
  )
}

/** In memory: the server knows one path, and no screen belongs in the history. */
function Flows({ given }: { readonly given: FlowGiven }) {
  return (
    <MemoryRouter initialEntries={[routes[given.link.context.purpose]]}>
      <Routes>
        <Route path={routes.unlock} element={<UnlockScreen given={given} />} />
        <Route path={routes.keep} element={<KeepScreen given={given} />} />
        <Route path={routes.recovery} element={<RecoverScreen given={given} />} />
        <Route path={routes.deleteAccount} element={<DeleteScreen deletion="deleteAccount" given={given} />} />
        <Route path={routes.deletePrevious} element={<DeleteScreen deletion="deletePrevious" given={given} />} />
        <Route path={routes.email} element={<EmailScreen given={given} />} />
        <Route path={routes.export} element={<ExportScreen given={given} />} />
        <Route
          path={routes.approve}
          element={
            <Suspense fallback={<Working title={given.say('waiting.title')} />}>
              <ApproveScreen given={given} />
            </Suspense>
          }
        />
      </Routes>
    </MemoryRouter>
  )
}

function subtitleOf(origin: string, { say }: WindowTools): string {
  if (origin === '') return ''
  return say('for', { origin: parseUrl(origin)?.host ?? origin })
}
