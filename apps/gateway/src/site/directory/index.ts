export { createDirectory, type Directory } from './directory'
export { loadDirectory } from './load'
export { directoryRoutes } from './routes'
