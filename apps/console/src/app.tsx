import { useEffect, useState } from 'react'
import { Navigate, NavLink, Route, Routes } from 'react-router'
import { AnalyticsPage } from './pages/analytics'
import { AuditPage } from './pages/audit'
import { DirectoryPage } from './pages/directory'
import { HealthPage } from './pages/health'
import { ProjectPage } from './pages/project'
import { ProjectsPage } from './pages/projects'
import { SignInPage } from './pages/sign-in'
import { UserPage } from './pages/user'
import { UsersPage } from './pages/users'
import { finishAtProvider, type ProviderAnswer } from './provider'
import type { Me } from './schemas'
import { SessionProvider, signIn, storedToken, useSession } from './session'

type SignedIn = { readonly token: string; readonly me: Me }
/** `notice`: why the operator has to sign in. */
type State = SignedIn | 'restoring' | { readonly notice: string | null }

const signedOut: State = { notice: null }
const refused: State = {
  notice: 'The gateway no longer accepts this token, or the session has ended. Sign in again.',
}

/** @param answer of the provider, in this page's address. @param onSignOut drops what the operator saw. */
export function App({ answer, onSignOut }: { readonly answer: ProviderAnswer | null; readonly onSignOut: () => void }) {
  const [state, setState] = useState<State>(() => (answer === null && storedToken() === null ? signedOut : 'restoring'))
  useEffect(() => {
    const token = storedToken()
    if (answer !== null) {
      finishAtProvider(answer)
        .then(enter)
        .then(setState, ({ message }: Error) => setState({ notice: message }))
    } else if (token !== null) {
      enter(token).then(setState, () => setState(signedOut))
    }
  }, [answer])

  if (state === 'restoring') return <main className="page" aria-busy="true" />
  if ('notice' in state) return <SignInPage notice={state.notice} onSignedIn={(token, me) => setState({ token, me })} />
  return (
    <SessionProvider
      {...state}
      onEnd={(wasRefused) => {
        onSignOut()
        setState(wasRefused ? refused : signedOut)
      }}
    >
      <Header />
      <main className="page">
        <Routes>
          <Route path="/projects" element={<ProjectsPage />} />
          <Route path="/projects/:id" element={<ProjectPage />} />
          <Route path="/users" element={<UsersPage />} />
          <Route path="/users/:id" element={<UserPage />} />
          <Route path="/analytics" element={<AnalyticsPage />} />
          <Route path="/health" element={<HealthPage />} />
          <Route path="/directory" element={<DirectoryPage />} />
          <Route path="/audit" element={<AuditPage />} />
          <Route path="*" element={<Navigate to="/projects" replace />} />
        </Routes>
      </main>
    </SessionProvider>
  )
}

const enter = async (token: string): Promise<SignedIn> => ({ token, me: await signIn(token) })

const links = [
  ['/projects', 'Projects'],
  ['/users', 'Users'],
  ['/analytics', 'Analytics'],
  ['/health', 'Health'],
  ['/directory', 'Directory'],
  ['/audit', 'Audit log'],
] as const

function Header() {
  const { me, signOut } = useSession()
  return (
    <header className="header">
      <nav aria-label="Console" className="links">
        {links.map(([to, name]) => (
          <NavLink key={to} to={to} className="link">
            {name}
          </NavLink>
        ))}
      </nav>
      <div className="operator">
        <span>
          {me.name} ({me.role})
        </span>
        <button type="button" className="small" onClick={signOut}>
          Sign out
        </button>
      </div>
    </header>
  )
}
