// Checks the version of Node. Written in JavaScript that every version of Node can run.
const needed = 24;
const present = Number(process.versions.node.split('.')[0]);
if (present < needed) {
  console.error(
    `Node ${needed} is required, but this is ${process.version}. Run npm ci, which installs Node ${needed}. If optional ` +
      `dependencies are disabled or npm has no package for this system, install Node ${needed} from https://nodejs.org.`,
  );
  process.exit(1);
}
