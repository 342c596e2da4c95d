import { useEffect, useState } from 'react'
import { Navigate, NavLink, Route, Routes } from 'react-router'
import { AnalyticsPage } from './pages/analytics'
import { AuditPage } from './pages/audit'
import { HealthPage } from './pages/health'
import { ProjectPage } from './pages/project'
import { ProjectsPage } from './pages/projects'
import { SignInPage } from './pages/sign-in'
import { UserPage } from './pages/user'
import { UsersPage } from './pages/users'
import type { Me } from './schemas'
import { SessionProvider, signIn, storedToken, useSession } from './session'

type State = { readonly token: string; readonly me: Me } | 'restoring' | 'signedOut' | 'refused'

/** @param onSignOut drops what the operator saw. */
export function App({ onSignOut }: { readonly onSignOut: () => void }) {
  const [state, setState] = useState<State>(() => (storedToken() === null ? 'signedOut' : 'restoring'))
  useEffect(() => {
    const token = storedToken()
    if (token === null) return
    signIn(token).then(
      (me) => setState({ token, me }),
      () => setState('signedOut'),
    )
  }, [])

  if (state === 'restoring') return <main className="page" aria-busy="true" />
  if (state === 'signedOut' || state === 'refused') {
    return <SignInPage refused={state === 'refused'} onSignedIn={(token, me) => setState({ token, me })} />
  }
  return (
    <SessionProvider
      {...state}
      onEnd={(refused) => {
        onSignOut()
        setState(refused ? 'refused' : 'signedOut')
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
          <Route path="/audit" element={<AuditPage />} />
          <Route path="*" element={<Navigate to="/projects" replace />} />
        </Routes>
      </main>
    </SessionProvider>
  )
}

const links = [
  ['/projects', 'Projects'],
  ['/users', 'Users'],
  ['/analytics', 'Analytics'],
  ['/health', 'Health'],
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
