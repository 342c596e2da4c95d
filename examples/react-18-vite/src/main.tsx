import { PosternProvider } from '@postern/client/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Wallet } from './Wallet'

const options = {
  projectId: 'dev',
  host: 'http://127.0.0.1:4400',
  networks: ['ethereum', 'base'],
}

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <PosternProvider options={options}>
      <h1>React 18</h1>
      <Wallet />
    </PosternProvider>
  </StrictMode>,
)
