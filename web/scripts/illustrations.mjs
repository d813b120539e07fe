/**
 * Draws the illustrations of the site's gallery with ffmpeg, into web/public/image: two pictures and two silent loops,
 * each loop with the picture that stands in its place until it is played. They are committed; run it to draw them anew.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../public/image/', import.meta.url));
const SIZE = '640x400';
/** Of a loop, in seconds: what moves comes back to where it was. */
const SECONDS = 8;
const FRAMES = 15;
/** An angle that goes round once in a loop. */
const TURN = `2*PI*T/${SECONDS}`;

/** Slate with a pattern of lighter slate, and copper where the vein is. */
const drawing = (lines, vein) => {
  const channel = (copper, slate, line) => `if(${vein},${copper},${slate}+${line}*${lines}+14*Y/H)`;
  return `geq=r='${channel(196, 22, 40)}':g='${channel(112, 28, 44)}':b='${channel(62, 38, 50)}'`;
};

const strata = (turn) =>
  drawing(
    `lt(mod(Y+18*sin(X/90+${turn})+7*sin(X/41-${turn})+400,44),1.6)`,
    `lt(abs(Y-250-5*sin(X/130+${turn})),3.5)`,
  );
const cell = 'gt(mod(X,40),3)*gt(mod(Y,40),3)';
const place = '(floor(X/40)*7.3+floor(Y/40)*3.7+floor(X/40)*floor(Y/40)*1.9)';
const blocks = (turn) =>
  drawing(
    `${cell}*(0.25+0.9*pow(max(0,sin(${turn}+${place})),4))`,
    `${cell}*eq(mod(floor(X/40)*5+floor(Y/40)*3,23),4)`,
  );
const depth = 'hypot(X-250,(Y-210)*1.25)+9*sin(atan2(Y-210,X-250)*3)+4*sin(atan2(Y-210,X-250)*7)';
const core = drawing(`lt(mod(${depth},30),1.6)`, `lt(abs(${depth}-128),4)`);
const seam = drawing(
  'lt(mod(Y+X/5+26*sin(X/150)+8*sin(X/47)+400,36),1.5)',
  'lt(abs(Y-215-6*sin(X/110)),4.5)',
);

function ffmpeg(...args) {
  const { status, stderr } = spawnSync('ffmpeg', ['-y', '-v', 'error', '-bitexact', ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
}

const canvas = `color=black:size=${SIZE}:rate=${FRAMES}:duration=${SECONDS},format=gbrp`;

function picture(name, filter) {
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    `${canvas},${filter}`,
    '-frames:v',
    '1',
    '-quality',
    '82',
    `${folder}${name}.webp`,
  );
}

function loop(name, draw) {
  picture(name, draw(TURN));
  ffmpeg(
    ...[
      '-f',
      'lavfi',
      '-i',
      `${canvas},${draw(TURN)}`,
      '-an',
      '-c:v',
      'libx264',
      '-preset',
      'veryslow',
      '-crf',
      '30',
    ],
    ...['-pix_fmt', 'yuv420p', '-movflags', '+faststart', `${folder}${name}.mp4`],
  );
}

picture('core', core);
picture('seam', seam);
loop('strata', strata);
loop('blocks', blocks);
