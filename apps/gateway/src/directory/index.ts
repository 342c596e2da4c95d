export { createDirectory } from './directory'
export { loadDirectory } from './load'
export { directoryRoutes } from './routes'
