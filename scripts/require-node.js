// Plain JavaScript that every Node understands: it runs before anything that needs the right one.
const needed = 24;
const present = Number(process.versions.node.split('.')[0]);
if (present < needed) {
  console.error(
    `Node ${needed} is needed and this is ${process.version}. npm ci brings it along, unless optional dependencies are ` +
      'left out or this system has no package of it: then install Node 24 yourself.',
  );
  process.exit(1);
}
